import { Module } from '@nestjs/common';
import { BrandingModule } from '../branding/branding.module.js';
import { EventsModule } from '../events/events.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MaintenancesModule } from '../maintenances/maintenances.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { READER_LIMITS, ReaderThreads } from './reader-threads.js';

@Module({
  imports: [
    ProjectsModule,
    MonitorsModule,
    StatusPagesModule,
    ReportsModule,
    IncidentsModule,
    MaintenancesModule,
    EventsModule,
    BrandingModule,
  ],
  controllers: [ImportsController],
  providers: [ImportsService, { provide: ReaderThreads, useFactory: () => new ReaderThreads(READER_LIMITS) }],
  exports: [ImportsService],
})
export class ImportsModule {}
