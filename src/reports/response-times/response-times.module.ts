import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { TasksModule } from '../../platform/tasks/tasks.module.js';
import { ResponseSample } from './response-sample.entity.js';
import { ResponseTime } from './response-time.entity.js';
import { ResponseTimesController } from './response-times.controller.js';
import { ResponseTimesRepository } from './response-times.repository.js';
import { ResponseTimesService } from './response-times.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ResponseSample, ResponseTime]), MonitorsModule, TasksModule],
  controllers: [ResponseTimesController],
  providers: [ResponseTimesService, ResponseTimesRepository],
  exports: [ResponseTimesService],
})
export class ResponseTimesModule {}
