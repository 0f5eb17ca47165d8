import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { Maintenance } from './maintenance.entity.js';
import { MaintenancesController } from './maintenances.controller.js';
import { MaintenancesRepository } from './maintenances.repository.js';
import { ShownMaintenancesRepository } from './shown-maintenances.repository.js';
import { MaintenancesService } from './maintenances.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Maintenance]),
    ProjectsModule,
    MonitorsModule,
    StatusPagesModule,
    DeletedPagesModule,
    ReportsModule,
  ],
  controllers: [MaintenancesController],
  providers: [MaintenancesService, MaintenancesRepository, ShownMaintenancesRepository],
  exports: [MaintenancesService],
})
export class MaintenancesModule {}
