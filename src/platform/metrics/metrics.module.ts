import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ServerModule } from '../server/server.module.js';
import { Metrics } from './metrics.js';

@Module({ imports: [AuthModule, ServerModule], providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
