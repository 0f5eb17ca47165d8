import { randomUUID } from 'node:crypto';
import type { WebhookDelivery } from '../../clients/typescript/src/index.js';
import type { Attempt } from '../../src/deliveries/delivery.entity.js';
import { useEvents } from '../events/use-events.js';
import type { ListPage, One } from '../support/server.js';
import { useEndpoints } from './use-endpoints.js';

/** Columns of a delivery. */
interface Columns {
  channel?: string;
  status?: string;
  attempts?: number;
  /** SQL of a time. */
  due_at?: string;
  attempt_log?: Attempt[];
}

export const IN_AN_HOUR = `now() + interval '1 hour'`;

export const ATTEMPT: Attempt = {
  at: '2026-11-25T12:00:00.000Z',
  duration_ms: 120,
  status_code: 503,
  response: 'Busy',
  error: 'status 503',
};

/** Webhook endpoints of a tenant, with their deliveries. The server does not deliver by itself. */
export function useDeliveries() {
  const endpoints = useEndpoints();
  const { server, tenant } = endpoints;
  const events = useEvents(server, tenant);

  /** Inserts a delivery of a new event to an endpoint. */
  async function insert(
    endpoint_id: string,
    columns: Columns = {},
  ): Promise<{ id: string; event_id: string }> {
    const {
      channel = 'webhook',
      status = 'failed',
      attempts = 1,
      due_at = 'now()',
      attempt_log = [ATTEMPT],
    } = columns;
    const { id: resource_id } = await events.incident();
    const [event] = await server.sql<{ id: string }[]>('SELECT id FROM events WHERE resource_id = $1', [
      resource_id,
    ]);
    const [id, event_id] = [randomUUID(), event?.id ?? ''];
    await server.sql(
      `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, attempts, due_at,
                               finished_at, error, attempt_log, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${due_at}, CASE WHEN $7 <> 'pending' THEN now() END, 'status 503', $9,
               clock_timestamp())`,
      [
        id,
        tenant.organization_id,
        tenant.project_id,
        channel,
        event_id,
        endpoint_id,
        status,
        attempts,
        JSON.stringify(attempt_log),
      ],
    );
    return { id, event_id };
  }

  const list = (endpoint_id: string, query: Record<string, string> = {}, key = tenant.key) =>
    server.ask<ListPage<WebhookDelivery>>(
      `/v1/deliveries?${new URLSearchParams({ endpoint_id, ...query })}`,
      { key },
    );

  const retry = (id: string, key = tenant.key) =>
    server.ask<One<WebhookDelivery>>(`/v1/deliveries/${id}/retry`, { method: 'POST', key });

  async function one(endpoint_id: string, id: string): Promise<WebhookDelivery> {
    const found = (await list(endpoint_id)).body.data.find((delivery) => delivery.id === id);
    if (!found) throw new Error('the delivery is not listed');
    return found;
  }

  return { ...endpoints, events, insert, list, retry, one };
}
