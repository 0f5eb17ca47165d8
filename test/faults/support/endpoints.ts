import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './audience.js';
import type { Service } from './service.js';
import type { WebhookRequest } from './webhook-server.js';

const MAX_WAIT_MS = 60_000;

/** A delivery with the path of its endpoint. */
interface Delivery extends Record<string, unknown> {
  endpoint: string;
  id: string;
  status: string;
  errors: string[];
}

const keyOf = ({ endpoint, id }: Pick<WebhookRequest, 'endpoint' | 'id'>): string => `${endpoint}: ${id}`;

/**
 * Webhook endpoints of a project, by the paths of their URLs. `expectDelivered` compares the events with the ledger of the
 * endpoints.
 */
export class Endpoints {
  private constructor(
    private readonly service: Service,
    private readonly sql: Sql,
    private readonly project: string,
    private readonly names: string[],
  ) {}

  /** Creates a project with endpoints for new incidents. `urls` are by the paths of the endpoints. */
  static async create(service: Service, sql: Sql, urls: Record<string, string>): Promise<Endpoints> {
    const project_id = await create(service, '/v1/projects', { name: 'Acme' });
    for (const url of Object.values(urls))
      await create(service, '/v1/webhook-endpoints', { project_id, url, event_types: ['incident.created'] });
    return new Endpoints(service, sql, project_id, Object.keys(urls));
  }

  /** Creates incidents, each of which is an event for all endpoints. */
  async happen(count: number): Promise<void> {
    for (let number = 1; number <= count; number++)
      await create(this.service, '/v1/incidents', { project_id: this.project, title: `Outage ${number}` });
  }

  /** The deliveries that meet a condition. */
  async deliveries(condition: string): Promise<Delivery[]> {
    return this.sql<Delivery>(`
      SELECT substring(webhook_endpoints.url FROM '[^/]*$') AS endpoint, event_id AS id, deliveries.status,
             ARRAY(SELECT one ->> 'error' FROM jsonb_array_elements(attempt_log) AS one) AS errors
        FROM deliveries
        JOIN webhook_endpoints ON webhook_endpoints.id = recipient_id
       WHERE ${condition}`);
  }

  /** Ends the leases of killed processes. Call it while no process sends. */
  async endLeases(): Promise<void> {
    await this.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE status = 'pending' AND due_at > now()`,
    );
  }

  /** Waits until no event is pending, and no delivery that meets a condition. */
  async isFinished(condition = 'true'): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const [events] = await this.sql<{ due: number }>(
        `SELECT count(*)::integer AS due FROM events WHERE due_at IS NOT NULL`,
      );
      const left = await this.deliveries(`deliveries.status = 'pending' AND (${condition})`);
      if (events?.due === 0 && left.length === 0) return;
      if (performance.now() > deadline)
        throw new Error(`waited in vain for ${events?.due} events and ${JSON.stringify(left.slice(0, 5))}`);
      await delay(100);
    }
  }

  /**
   * Makes attempts due that wait. Does not touch deliveries that a process has claimed in the last 15 seconds, whose leases of a
   * minute have not ended.
   */
  async hurry(): Promise<void> {
    await this.sql(`
      UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001)
       WHERE status = 'pending' AND due_at > now()
         AND due_at NOT BETWEEN now() + interval '45 seconds' AND now() + interval '65 seconds'`);
  }

  /** The accepted requests that the database does not know as delivered. Call it while no process sends. */
  async unrecorded(receipts: WebhookRequest[]): Promise<Set<string>> {
    const accepted = new Set(receipts.map((receipt) => keyOf(receipt)));
    const begun = await this.deliveries(`deliveries.status = 'pending' AND attempts > 0`);
    return new Set(begun.map((delivery) => keyOf(delivery)).filter((key) => accepted.has(key)));
  }

  /**
   * Expects that each endpoint has accepted each event, and nothing else. `webhook-id` is the ID of the event.
   * @returns what was accepted more than once
   */
  async expectDelivered(receipts: WebhookRequest[]): Promise<Set<string>> {
    const events = await this.sql<{ id: string }>(
      `SELECT id FROM events WHERE project_id = '${this.project}' AND type = 'incident.created'`,
    );
    const wanted = this.names.flatMap((endpoint) => events.map(({ id }) => keyOf({ endpoint, id })));
    const keys = receipts.map((receipt) => keyOf(receipt));
    const [accepted, expected] = [new Set(keys), new Set(wanted)];
    assert.deepEqual(sample(wanted.filter((key) => !accepted.has(key))), [], 'lost');
    assert.deepEqual(sample(keys.filter((key) => !expected.has(key))), [], 'must not get this');
    const undelivered = await this.deliveries(`deliveries.status <> 'delivered'`);
    assert.deepEqual(undelivered.slice(0, 10), [], 'accepted, but not delivered');
    return new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  }
}

/** The first ones, for a legible failure. */
function sample(keys: string[]): string[] {
  return keys.slice(0, 10);
}

async function create(service: Service, path: string, json: object): Promise<string> {
  const { status, text, body } = await service.ask<{ data: { id: string } }>(path, { method: 'POST', json });
  assert.equal(status, 201, text);
  return body.data.id;
}
