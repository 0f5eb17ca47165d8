import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatusPagesController } from './status-pages.controller.js';
import { StatusPagesRepository } from './status-pages.repository.js';
import { StatusPagesService } from './status-pages.service.js';

@Module({
  imports: [MonitorsModule, ProjectsModule],
  controllers: [StatusPagesController],
  providers: [StatusPagesService, StatusPagesRepository],
  exports: [StatusPagesService],
})
export class StatusPagesModule {}
