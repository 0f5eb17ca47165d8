import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { HistoryLocksRepository } from './history-locks.repository.js';
import { HistoryRepository } from './history.repository.js';
import { MonitorRun } from './monitor-run.entity.js';
import { MonitorState } from './monitor-state.entity.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([MonitorState, MonitorRun]),
    EventsModule,
    MonitorsModule,
    ProjectsModule,
  ],
  controllers: [ReportsController],
  providers: [ReportsService, ReportsRepository, HistoryRepository, HistoryLocksRepository],
  exports: [ReportsService],
})
export class ReportsModule {}
