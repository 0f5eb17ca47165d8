import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { ReceiversController } from './receivers.controller.js';
import { ReceiversService } from './receivers.service.js';

@Module({
  imports: [MonitorsModule, ProjectsModule, ReportsModule],
  controllers: [ReceiversController],
  providers: [ReceiversService],
})
export class ReceiversModule {}
