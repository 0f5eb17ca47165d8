import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import type { Position, Recipients } from '../../src/deliveries/channel.js';
import type { NotifiedEvent } from '../../src/events/events.service.js';
import { useTenant, useTestServer } from '../support/server.js';
import { ids, TestChannel, useWorkers } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);
const workers = useWorkers(server, tenant);

const STEP = 250;

interface Claimed {
  id: string;
  recipient_id: string;
  lease: number;
}

/**
 * A delivering process of the version before the migration `TurnsOfDeliveries1763653730000`, as its statements. It finds the
 * recipients of all pages in the order of their IDs, and keeps the last one in `position`.
 */
class OlderProcess {
  readonly reached: string[] = [];

  constructor(
    private readonly channel: string,
    private readonly recipients: ReadonlyMap<string, string[]>,
  ) {}

  /** Records an event, which is planned if it is due later. Returns its resource. */
  static async record(due_at: Date): Promise<string> {
    const resource = randomUUID();
    await server.sql(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, data, created_at, is_notified, due_at)
       VALUES ($1, $2, $3, 'maintenance.started', $4, '{}', $5, true, $5)`,
      [uuidv7(), tenant.organization_id, tenant.project_id, resource, due_at],
    );
    return resource;
  }

  /** Creates some deliveries of the first event that is due. */
  async createSome(): Promise<void> {
    await server.app.get(DataSource).transaction(async (manager) => {
      const [event]: { id: string; resource_id: string; position: string | null }[] = await manager.query(
        `SELECT id, resource_id, position FROM events
          WHERE due_at <= statement_timestamp() AND resource_id = ANY($1::uuid[])
          ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [[...this.recipients.keys()]],
      );
      if (!event) return;
      const all = this.recipients.get(event.resource_id) ?? [];
      const found = all.filter((id) => event.position === null || id > event.position).slice(0, STEP);
      await manager.query(
        `INSERT INTO deliveries (id, organization_id, project_id, channel, kind, event_id, recipient_id, due_at)
         SELECT id, $1, $2, $3, 'event', $4, recipient, now() FROM unnest($5::uuid[], $6::uuid[]) AS new (recipient, id)
             ON CONFLICT (event_id, recipient_id) DO NOTHING`,
        [tenant.organization_id, tenant.project_id, this.channel, event.id, found, found.map(() => uuidv7())],
      );
      const isLeft = found.length >= STEP;
      await manager.query(
        `UPDATE events SET due_at = CASE WHEN $2::text IS NOT NULL THEN clock_timestamp() END, channel = $2, position = $3
          WHERE id = $1`,
        [event.id, isLeft ? this.channel : null, isLeft ? found.at(-1) : null],
      );
    });
  }

  /** Claims some deliveries, sends them, and writes the results. */
  async send(): Promise<void> {
    const [claimed] = await server.sql<[Claimed[], number]>(
      `UPDATE deliveries
          SET attempts = attempts + 1, lease = lease + 1, due_at = clock_timestamp() + interval '1 minute'
        WHERE id IN (SELECT id FROM deliveries
                      WHERE channel = $1 AND status = 'pending' AND due_at <= statement_timestamp()
                      ORDER BY due_at, id LIMIT 40 FOR UPDATE SKIP LOCKED)
       RETURNING id, recipient_id, lease`,
      [this.channel],
    );
    this.reached.push(...claimed.map(({ recipient_id }) => recipient_id));
    await server.sql(
      `UPDATE deliveries SET status = 'delivered', finished_at = clock_timestamp()
         FROM unnest($1::uuid[], $2::integer[]) AS result (id, lease)
        WHERE deliveries.id = result.id AND deliveries.lease = result.lease AND status = 'pending'`,
      [claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
    );
  }
}

/** Finds recipients in another order than the older version. */
class NewerChannel extends TestChannel {
  override async recipientsOf(event: NotifiedEvent, after: Position, limit: number): Promise<Recipients> {
    const all = (this.recipients.get(event.resource_id) ?? []).toReversed();
    const found = all.slice(after.recipient_id === null ? 0 : all.indexOf(after.recipient_id) + 1);
    const next = found.length > limit ? { page_id: null, recipient_id: found[limit - 1] ?? null } : null;
    return { ids: found.slice(0, limit), next };
  }
}

it('a process of an older version and a new one together send each delivery once, and none early', async () => {
  const channel = new NewerChannel();
  const older = new OlderProcess(channel.name, channel.recipients);
  const [old, created] = [ids(900), ids(900)];
  channel.recipients.set(await OlderProcess.record(new Date()), old);
  await workers.event([channel], created);
  const hour = new Date(Date.now() + 3_600_000);
  channel.recipients.set(await OlderProcess.record(hour), ids(1));
  await workers.event([channel], ids(1), hour);

  // Neither gets far ahead of the other.
  channel.outcomeOf = async () => {
    while (
      channel.sent.length > older.reached.length + 100 &&
      channel.sent.length + older.reached.length < 1_400
    )
      await setImmediate();
    return { kind: 'delivered' };
  };
  await workers.start([channel]);
  await workers.whileWorking(async () => {
    await older.createSome();
    await older.send();
    const [left] = await server.sql<{ count: number }[]>(
      `SELECT (SELECT count(*) FROM events WHERE due_at < now() + interval '1 minute')::integer
            + (SELECT count(*) FROM deliveries WHERE status = 'pending')::integer AS count`,
    );
    return left?.count === 0;
  });
  expect([...channel.reached, ...older.reached].toSorted()).toEqual([...old, ...created].toSorted());
  expect(Math.min(channel.sent.length, older.reached.length)).toBeGreaterThan(200);
});
