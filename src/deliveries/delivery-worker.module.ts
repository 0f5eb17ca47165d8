import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { ServerModule } from '../platform/server/server.module.js';
import { DeliveriesModule } from './deliveries.module.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryWorker } from './delivery-worker.js';
import { FanOut } from './fan-out.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';

/** Delivers events. Imported only by processes that can deliver: the server and `npm run start:worker`, not the CLI. */
@Module({
  imports: [DeliveriesModule, EventsModule, MetricsModule, ServerModule, TasksModule],
  providers: [DeliveryWorker, FanOut, DeliveryMetrics],
})
export class DeliveryWorkerModule {}
