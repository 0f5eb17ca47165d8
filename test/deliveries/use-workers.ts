import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource, type EntityManager } from 'typeorm';
import { afterEach } from 'vitest';
import { createApp } from '../../src/create-app.js';
import type {
  Channel,
  ClaimedDelivery,
  Outcome,
  Position,
  Recipients,
} from '../../src/deliveries/channel.js';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import type { Delivery } from '../../src/deliveries/delivery.entity.js';
import { EventsService, type NotifiedEvent } from '../../src/events/events.service.js';
import { actorIn } from '../support/actors.js';
import { passTime } from '../support/clock.js';
import { environment } from '../support/process.js';
import { type Tenant, type TestServer, until } from '../support/server.js';

/** A channel that records what it sends. */
export class TestChannel implements Channel {
  readonly sent: ClaimedDelivery[] = [];
  /** Recipients by the resource of the event. */
  readonly recipients = new Map<string, string[]>();
  /** Numbers of deliveries that begin together. */
  readonly batches: number[] = [];
  /** Largest number of deliveries at a time. */
  peak = 0;
  private open = 0;
  outcomeOf: (delivery: ClaimedDelivery) => Outcome | Promise<Outcome> = () => ({ kind: 'delivered' });

  constructor(
    readonly name = `test-${randomUUID()}`,
    readonly concurrency = 15,
    readonly isAvailable = true,
  ) {}

  async recipientsOf(
    event: NotifiedEvent,
    after: Position,
    limit: number,
    _manager: EntityManager,
  ): Promise<Recipients> {
    const all = this.recipients.get(event.resource_id) ?? [];
    const ids = all.filter((id) => after.recipient_id === null || id > after.recipient_id).slice(0, limit);
    const recipient_id = ids.length < limit ? undefined : ids.at(-1);
    return { ids, next: recipient_id === undefined ? null : { page_id: null, recipient_id } };
  }

  async prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>> {
    this.batches.push(deliveries.length);
    return async (delivery) => {
      this.open += 1;
      this.peak = Math.max(this.peak, this.open);
      this.sent.push(delivery);
      const outcome = await this.outcomeOf(delivery);
      this.open -= 1;
      return outcome;
    };
  }

  /** IDs of the recipients in the order of their deliveries. */
  get reached(): string[] {
    return this.sent.map(({ recipient_id }) => recipient_id);
  }

  /** Recipients that got more than one message. */
  get repeated(): string[] {
    return this.reached.filter((id, at, all) => all.indexOf(id) !== at);
  }
}

export const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID()).toSorted();

/** A channel whose attempts take some milliseconds. */
export function slowChannel(ms: number, name?: string, concurrency?: number): TestChannel {
  const channel = new TestChannel(name, concurrency);
  channel.outcomeOf = async () => {
    await delay(ms);
    return { kind: 'delivered' };
  };
  return channel;
}

/** Processes that deliver, on the database of `server`. They are stopped after each test. */
export function useWorkers(server: TestServer, tenant: Tenant) {
  let workers: NestExpressApplication[] = [];
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    workers = [];
  });

  async function start(
    channels: Channel[],
    env: Record<string, string> = {},
  ): Promise<NestExpressApplication> {
    const common = { LOG_LEVEL: 'silent', DEMO: 'false', DELIVERY: 'on' };
    const app = await createApp(environment({ ...common, ...server.databaseEnv, ...env }));
    for (const channel of channels) app.get(DeliveriesService).register(channel);
    workers.push(app);
    await app.init();
    return app;
  }

  async function stop(worker: NestExpressApplication): Promise<void> {
    workers = workers.filter((one) => one !== worker);
    await worker.close();
  }

  /** Records an event that is due immediately. Returns its resource. */
  async function event(
    channels: TestChannel[],
    recipients: string[],
    planned_at = new Date(),
    { organization_id, project_id } = tenant,
  ): Promise<string> {
    const resource_id = randomUUID();
    for (const channel of channels) channel.recipients.set(resource_id, recipients);
    await server.app.get(DataSource).transaction((manager) =>
      server.app.get(EventsService).record(
        [
          {
            type: 'maintenance.started',
            organization_id,
            project_id,
            resource_id,
            planned_at,
            actor: actorIn(organization_id),
          },
        ],
        manager,
      ),
    );
    return resource_id;
  }

  /** Creates deliveries that no event causes. */
  async function enqueue(
    channel: TestChannel,
    recipients: string[],
    { organization_id, project_id } = tenant,
  ): Promise<void> {
    const shared = { organization_id, project_id, channel: channel.name, kind: 'confirmation' };
    const { manager } = server.app.get(DataSource);
    await server.app.get(DeliveriesService).enqueue(
      recipients.map((recipient_id) => ({ ...shared, recipient_id })),
      manager,
    );
  }

  const stored = (channel: TestChannel): Promise<Delivery[]> =>
    server.sql<Delivery[]>('SELECT * FROM deliveries WHERE channel = $1 ORDER BY id', [channel.name]);

  /** Returns the number of deliveries of a channel by their status. */
  async function counts(channel: TestChannel): Promise<Record<string, number>> {
    const rows = await server.sql<{ status: string; count: number }[]>(
      'SELECT status, count(*)::integer AS count FROM deliveries WHERE channel = $1 GROUP BY status',
      [channel.name],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Makes all leases and retries of a channel due. */
  const makeDue = (channel: TestChannel): Promise<unknown> =>
    server.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE channel = $1 AND status = 'pending'`,
      [channel.name],
    );

  /** Waits until `probe` returns true, while a second passes for the workers between its calls. */
  const whileWorking = (probe: () => Promise<boolean>): Promise<boolean> =>
    until(async () => {
      await passTime(1_000);
      return probe();
    });

  return { start, stop, whileWorking, event, enqueue, stored, counts, makeDue };
}
