import { expect } from 'vitest';
import type { NewWebhookEndpoint, WebhookEndpoint } from '../../clients/typescript/src/index.js';
import { useResource } from '../support/use-resource.js';

export const URL_OF_TEST = 'https://hooks.example.com/status';

/** A server with a tenant, and requests for its webhook endpoints. */
export function useEndpoints() {
  const { server, tenant, ask } = useResource<WebhookEndpoint>('/v1/webhook-endpoints');

  async function createEndpoint(fields: object = {}): Promise<NewWebhookEndpoint> {
    const json = { project_id: tenant.project_id, url: URL_OF_TEST, ...fields };
    const { status, body } = await ask<{ data: NewWebhookEndpoint }>('POST', '', json);
    expect(status).toBe(201);
    return body.data;
  }

  /** Sets columns that only the delivery writes. */
  async function set(id: string, columns: string): Promise<void> {
    await server.sql(`UPDATE webhook_endpoints SET ${columns} WHERE id = $1`, [id]);
  }

  return { server, tenant, ask, createEndpoint, set };
}
