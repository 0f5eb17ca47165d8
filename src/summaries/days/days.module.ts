import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IncidentsModule } from '../../incidents/incidents.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { DaysController } from './days.controller.js';
import { DaysRepository } from './days.repository.js';
import { DaysComputer } from './days-computer.service.js';
import { DaysService } from './days.service.js';
import { MonitorDay } from './monitor-day.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([MonitorDay]),
    MonitorsModule,
    ReportsModule,
    IncidentsModule,
    MaintenancesModule,
  ],
  controllers: [DaysController],
  providers: [DaysService, DaysComputer, DaysRepository],
  exports: [DaysService],
})
export class DaysModule {}
