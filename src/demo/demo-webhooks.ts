import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { EndpointDeliveriesRepository } from '../deliveries/endpoint-deliveries.repository.js';
import type { Actor } from '../platform/auth/actor.js';
import type { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import type { WebhookEndpointsService } from '../webhooks/webhook-endpoints.service.js';

/**
 * Creates a webhook endpoint with a delivery of the latest event. Nothing receives its messages. Therefore, it gets only events that
 * the demo does not cause.
 */
export async function createWebhooks(
  actor: Actor,
  project_id: string,
  ids: Partial<typeof EXAMPLE_IDS>,
  endpoints: WebhookEndpointsService,
  deliveries: EndpointDeliveriesRepository,
  manager: EntityManager,
): Promise<void> {
  const { id: endpoint_id } = await endpoints.createIn(
    actor,
    project_id,
    {
      id: ids.webhook_endpoint,
      url: 'https://hooks.example.com/status',
      event_types: ['webhook_endpoint.disabled'],
    },
    manager,
  );
  const at = new Date().toISOString();
  const attempt = { at, duration_ms: 120, status_code: 200, response: 'ok', error: null };
  const endpoint = { organization_id: actor.organization_id, project_id, endpoint_id };
  await deliveries.insertDelivered(endpoint, ids.delivery ?? uuidv7(), attempt, manager);
}
