import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { ServerModule } from '../server/server.module.js';
import { AdminPort } from './admin-port.js';

@Module({
  imports: [HealthModule, MetricsModule, ServerModule],
  providers: [AdminPort],
  exports: [AdminPort],
})
export class AdminModule {}
