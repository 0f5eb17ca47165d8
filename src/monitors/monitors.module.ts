import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { DraftRules } from './draft-rules.js';
import { MonitorCreation } from './monitor-creation.js';
import { MonitorsController } from './monitors.controller.js';
import { MonitorsRepository } from './monitors.repository.js';
import { MonitorsService } from './monitors.service.js';
import { Monitor } from './monitor.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Monitor]), ProjectsModule],
  controllers: [MonitorsController],
  providers: [DraftRules, MonitorsService, MonitorCreation, MonitorsRepository],
  exports: [DraftRules, MonitorsService, MonitorCreation],
})
export class MonitorsModule {}
