import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { Maintenance } from './maintenance.entity.js';
import { MaintenanceListsService } from './maintenance-lists.service.js';
import { MaintenanceEvents } from './maintenance-events.js';
import { MaintenanceIntervalsService } from './maintenance-intervals.service.js';
import { MaintenanceReferencesRepository } from './maintenance-references.repository.js';
import { MaintenanceUpdate } from './maintenance-update.entity.js';
import { MaintenanceUpdatesController } from './maintenance-updates.controller.js';
import { MaintenanceUpdatesRepository } from './maintenance-updates.repository.js';
import { MaintenanceUpdatesService } from './maintenance-updates.service.js';
import { MaintenancesController } from './maintenances.controller.js';
import { MaintenancesRepository } from './maintenances.repository.js';
import { ShownMaintenancesRepository } from './shown-maintenances.repository.js';
import { MaintenancesService } from './maintenances.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Maintenance, MaintenanceUpdate]),
    ProjectsModule,
    EventsModule,
    MonitorsModule,
    StatusPagesModule,
    DeletedPagesModule,
    ReportsModule,
  ],
  controllers: [MaintenancesController, MaintenanceUpdatesController],
  providers: [
    MaintenancesService,
    MaintenanceEvents,
    MaintenanceUpdatesService,
    MaintenanceIntervalsService,
    MaintenanceListsService,
    MaintenancesRepository,
    MaintenanceUpdatesRepository,
    MaintenanceReferencesRepository,
    ShownMaintenancesRepository,
  ],
  exports: [
    MaintenanceUpdatesService,
    MaintenancesService,
    MaintenanceIntervalsService,
    MaintenanceListsService,
  ],
})
export class MaintenancesModule {}
