import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { IgnoredAlerts } from './ignored-alerts.js';
import { ReceiversController } from './receivers.controller.js';
import { ReceiversService } from './receivers.service.js';

@Module({
  imports: [MonitorsModule, ProjectsModule, ReportsModule, MetricsModule],
  controllers: [ReceiversController],
  providers: [ReceiversService, IgnoredAlerts],
})
export class ReceiversModule {}
