import { Injectable } from '@nestjs/common';
import { EventQueue } from '../events/event-queue.js';
import { Env } from '../platform/config/env.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DeliveryQueue } from './delivery-queue.js';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { DeliveriesService } from './deliveries.service.js';
import type { DeliveryCounts } from './delivery-counts.js';
import { DeliveryWorker } from './delivery-worker.js';

const MEASURE_MS = 10_000;

/** Instead of a channel: events whose deliveries have not all been created. */
const EVENTS = 'events';

/** Metrics of deliveries (docs/observability.md). */
@Injectable()
export class DeliveryMetrics {
  private readonly secondsDue: Record<string, number> = {};

  constructor(
    metrics: Metrics,
    env: Env,
    private readonly deliveries: DeliveriesService,
    private readonly events: EventQueue,
    private readonly pending: DeliveryQueue,
    private readonly worker: DeliveryWorker,
    tasks: PeriodicTasks,
  ) {
    metrics.add((read) => {
      const label = 'channel result';
      const finished = 'Finished deliveries, by channel and result';
      read('Counter', 'deliveries_total', finished, () => this.values(({ finished: counts }) => counts), {
        label,
      });
      const attempts = 'Attempts to deliver, by channel and result';
      const ofAttempts = (counts: DeliveryCounts) => ({
        begun: counts.attempts,
        retried: counts.retries,
        superseded: counts.superseded,
      });
      read('Counter', 'delivery_attempts_total', attempts, () => this.values(ofAttempts), { label });
      const oldest =
        'Seconds for which the oldest due delivery of a channel, or the oldest due event, has waited';
      const options = { label: 'channel', aggregator: 'max' as const };
      read('Gauge', 'deliveries_oldest_due_seconds', oldest, () => this.secondsDue, options);
    });
    if (env.ADMIN_PORT !== undefined)
      tasks.add({ name: 'metrics of deliveries', every_ms: MEASURE_MS, run: () => this.measure() });
  }

  /** Returns values by channel and result. */
  private values(of: (counts: DeliveryCounts) => Record<string, number>): Record<string, number> {
    const entries = [...this.worker.senders].flatMap(([channel, { counts }]) =>
      Object.entries(of(counts)).map(([result, count]) => [`${channel} ${result}`, count]),
    );
    return Object.fromEntries(entries);
  }

  private async measure(): Promise<boolean> {
    this.secondsDue[EVENTS] = await this.events.secondsDue();
    for (const { name } of this.deliveries.available)
      this.secondsDue[name] = await this.pending.secondsDue(name);
    return false;
  }
}
