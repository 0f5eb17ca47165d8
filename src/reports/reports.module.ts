import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeferredStatusChange } from './deferred-status-change.entity.js';
import { DeferredStatusChangesRepository } from './deferred-status-changes.repository.js';
import { HistoryLocksRepository } from './history-locks.repository.js';
import { HistoryRepository } from './history.repository.js';
import { MonitorRun } from './monitor-run.entity.js';
import { MonitorState } from './monitor-state.entity.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ReportsService } from './reports.service.js';
import { ResponseTimesModule } from './response-times/response-times.module.js';
import { StatusChangeEvents } from './status-change-events.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([MonitorState, MonitorRun, DeferredStatusChange]),
    EventsModule,
    MonitorsModule,
    ProjectsModule,
    ResponseTimesModule,
    TasksModule,
  ],
  controllers: [ReportsController],
  providers: [
    ReportsService,
    ReportsRepository,
    DeferredStatusChangesRepository,
    HistoryRepository,
    HistoryLocksRepository,
    StatusChangeEvents,
  ],
  exports: [ReportsService, StatusChangeEvents],
})
export class ReportsModule {}
