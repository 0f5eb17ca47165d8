import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { Maintenance } from './maintenance.entity.js';
import { MaintenancesController } from './maintenances.controller.js';
import { MaintenancesRepository } from './maintenances.repository.js';
import { PageMaintenancesRepository } from './page-maintenances.repository.js';
import { MaintenancesService } from './maintenances.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Maintenance]),
    ProjectsModule,
    MonitorsModule,
    StatusPagesModule,
    ReportsModule,
  ],
  controllers: [MaintenancesController],
  providers: [MaintenancesService, MaintenancesRepository, PageMaintenancesRepository],
  exports: [MaintenancesService],
})
export class MaintenancesModule {}
