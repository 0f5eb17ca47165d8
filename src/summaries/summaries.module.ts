import { Module } from '@nestjs/common';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { DaysModule } from './days/days.module.js';
import { ShownIncidentsModule } from '../incidents/shown/shown-incidents.module.js';
import { MaintenancesModule } from '../maintenances/maintenances.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { StatusesModule } from './statuses/statuses.module.js';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';

@Module({
  imports: [
    StatusPagesModule,
    DomainDirectoryModule,
    MonitorsModule,
    StatusesModule,
    DaysModule,
    ShownIncidentsModule,
    MaintenancesModule,
  ],
  controllers: [SummariesController],
  providers: [SummariesService],
  exports: [SummariesService],
})
export class SummariesModule {}
