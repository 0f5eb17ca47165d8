import { Module } from '@nestjs/common';
import { IncidentsModule } from '../../incidents/incidents.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { StatusesController } from './statuses.controller.js';
import { StatusesService } from './statuses.service.js';

@Module({
  imports: [MonitorsModule, ReportsModule, IncidentsModule, MaintenancesModule],
  controllers: [StatusesController],
  providers: [StatusesService],
  exports: [StatusesService],
})
export class StatusesModule {}
