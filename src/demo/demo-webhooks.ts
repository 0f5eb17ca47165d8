import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { EndpointDeliveriesRepository } from '../deliveries/endpoint-deliveries.repository.js';
import type { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { WebhookEndpointsService } from '../webhooks/webhook-endpoints.service.js';

/**
 * Creates a webhook endpoint with a delivery of the latest event. Nothing receives its messages. Therefore, it gets only events that
 * the demo does not cause.
 */
export async function createWebhooks(
  project: ProjectRef,
  ids: Partial<typeof EXAMPLE_IDS>,
  endpoints: WebhookEndpointsService,
  deliveries: EndpointDeliveriesRepository,
  manager: EntityManager,
): Promise<void> {
  const { id: endpoint_id } = await endpoints.createIn(
    project,
    {
      id: ids.webhook_endpoint,
      url: 'https://hooks.example.com/status',
      event_types: ['webhook_endpoint.disabled'],
    },
    manager,
  );
  const at = new Date().toISOString();
  const attempt = { at, duration_ms: 120, status_code: 200, response: 'ok', error: null };
  await deliveries.insertDelivered({ ...project, endpoint_id }, ids.delivery ?? uuidv7(), attempt, manager);
}
