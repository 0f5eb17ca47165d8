import type { Event } from '../../clients/typescript/src/index.js';
import { LOGGED_TYPES } from '../../src/platform/log/logged-types.js';
import type { Answer, ListPage, Tenant, TestServer } from '../support/server.js';

/** A stored event, which can be in the future. */
export interface StoredEvent {
  type: string;
  update_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
  due_at: Date | null;
}

/** Requests to the events of a tenant, and to its other resources. */
export function useEvents(server: TestServer, tenant: Tenant) {
  /** Returns the stored events of a resource that recipients can get, in the order of time. */
  const stored = (resource_id: string): Promise<StoredEvent[]> =>
    server.sql<StoredEvent[]>(
      `SELECT type, update_id, data, created_at, due_at FROM events
        WHERE resource_id = $1 AND type <> ALL($2::text[])
        ORDER BY created_at, id`,
      [resource_id, Object.keys(LOGGED_TYPES)],
    );

  /** Returns the types of the stored events of a resource, in the order of time. */
  const typesOf = async (resource_id: string): Promise<string[]> =>
    (await stored(resource_id)).map(({ type }) => type);

  /** Returns the types of the stored events of a resource that notify subscribers. */
  const notifiedOf = async (resource_id: string): Promise<string[]> =>
    (await stored(resource_id)).filter(({ due_at }) => due_at !== null).map(({ type }) => type);

  const list = (
    query: Record<string, string> = {},
    { key, project_id } = tenant,
  ): Promise<Answer<ListPage<Event>>> =>
    server.ask(`/v1/events?${new URLSearchParams({ project_id, ...query })}`, { key });

  /** Sends a request that must succeed, and returns the resource. */
  async function send<Body = { id: string }>(method: string, path: string, json?: object): Promise<Body> {
    const { status, text, body } = await server.ask<{ data: Body }>(path, { method, key: tenant.key, json });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body?.data;
  }

  const incident = (fields: object = {}): Promise<{ id: string }> =>
    send('POST', '/v1/incidents', { project_id: tenant.project_id, title: 'Errors', ...fields });

  const update = (id: string, fields: object): Promise<{ id: string }> =>
    send('POST', `/v1/incidents/${id}/updates`, { body: 'An update.', ...fields });

  /** Creates a maintenance window with `[from, to]` in hours from now. */
  const maintenance = ([from, to]: [number, number], fields: object = {}): Promise<{ id: string }> =>
    send('POST', '/v1/maintenances', {
      project_id: tenant.project_id,
      title: 'Upgrade',
      starts_at: inHours(from),
      ends_at: inHours(to),
      ...fields,
    });

  return { stored, typesOf, notifiedOf, list, send, incident, update, maintenance };
}

/** Returns the time in the given number of hours, as sent over the wire. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
