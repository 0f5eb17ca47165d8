import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { StatusPagesModule } from '../status-pages.module.js';
import { Revision } from './revision.entity.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionsRepository } from './revisions.repository.js';
import { RevisionsService } from './revisions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Revision]), StatusPagesModule, MonitorsModule],
  controllers: [RevisionsController],
  providers: [RevisionsService, RevisionsRepository],
  exports: [RevisionsRepository, RevisionsService],
})
export class RevisionsModule {}
