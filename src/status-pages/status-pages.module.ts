import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatusPagesController } from './status-pages.controller.js';
import { StatusPagesRepository } from './status-pages.repository.js';
import { StatusPagesService } from './status-pages.service.js';
import { StatusPage } from './status-page.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([StatusPage]), MonitorsModule, ProjectsModule],
  controllers: [StatusPagesController],
  providers: [StatusPagesService, StatusPagesRepository],
  exports: [StatusPagesService],
})
export class StatusPagesModule {}
