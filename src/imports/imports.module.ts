import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [ProjectsModule, MonitorsModule, StatusPagesModule],
  controllers: [ImportsController],
  providers: [ImportsService],
  exports: [ImportsService],
})
export class ImportsModule {}
