import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { Event } from './event.entity.js';
import { EventQueue } from './event-queue.js';
import { EventsController } from './events.controller.js';
import { RecordedEventsRepository } from './recorded-events.repository.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Event]), ProjectsModule],
  controllers: [EventsController],
  providers: [EventsService, EventsRepository, RecordedEventsRepository, EventQueue],
  exports: [EventsService, EventQueue],
})
export class EventsModule {}
