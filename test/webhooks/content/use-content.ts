import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { EventType } from '../../../src/events/event-types.js';
import { WebhookWriter, type WrittenEndpoint } from '../../../src/webhooks/content/webhook-writer.js';
import type { Tenant, TestServer } from '../../support/server.js';
import { useEvents } from '../../events/use-events.js';
import { VALIDATORS } from './chat-limits.js';

export type Format = WrittenEndpoint['format'];

/** A body in the format of Standard Webhooks. */
export interface StandardBody {
  type: string;
  timestamp: string;
  thin?: true;
  data: Record<string, unknown>;
  update?: Record<string, unknown>;
  event: Record<string, unknown>;
}

/** Events of a tenant, and the bodies that endpoints get. */
export function useContent(server: TestServer, tenant: Tenant) {
  const events = useEvents(server, tenant);

  const endpoint = (format: Format, status_page_id: string | null = null): WrittenEndpoint => ({
    id: randomUUID(),
    organization_id: tenant.organization_id,
    project_id: tenant.project_id,
    status_page_id,
    format,
  });

  /** Returns the ID of the newest event of a type, also if it is planned. */
  const eventOf = async (resource_id: string, type: EventType): Promise<string> => {
    const [event] = await server.sql<{ id: string }[]>(
      'SELECT id FROM events WHERE resource_id = $1 AND type = $2 ORDER BY created_at DESC, id DESC LIMIT 1',
      [resource_id, type],
    );
    if (!event) throw new Error(`no event ${type}`);
    return event.id;
  };

  /** Returns the body of an event that was not written before. */
  const bodyOf = (event_id: string, to: WrittenEndpoint): Promise<string | undefined> =>
    server.app.get(WebhookWriter).bodyOf(to, event_id);

  const standard = async (event_id: string): Promise<StandardBody> => {
    const body = await bodyOf(event_id, endpoint('standard'));
    if (body === undefined) throw new Error('no body');
    return JSON.parse(body);
  };

  return { ...events, endpoint, eventOf, bodyOf, standard };
}

/** A receiver that accepts what Slack, Discord or Teams accept, at `/slack`, `/discord` and `/teams`. */
export function useReceiver(): { post(format: keyof typeof VALIDATORS, body: string): Promise<string> } {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const format = request.url?.slice(1);
      const validate =
        format === 'slack' || format === 'discord' || format === 'teams' ? VALIDATORS[format] : undefined;
      const faults = validate?.(Buffer.concat(chunks).toString('utf8')) ?? ['unknown path'];
      response.writeHead(faults.length === 0 ? 200 : 400).end(faults.length === 0 ? 'ok' : faults.join('; '));
    });
  });
  let port = 0;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) port = address.port;
  });
  afterAll(() => void server.close());
  return {
    post: async (format, body) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}/${format}`, { method: 'POST', headers, body });
      return response.text();
    },
  };
}
