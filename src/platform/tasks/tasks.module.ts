import { Module } from '@nestjs/common';
import { PeriodicTasks } from './periodic-tasks.js';

@Module({ providers: [PeriodicTasks], exports: [PeriodicTasks] })
export class TasksModule {}
