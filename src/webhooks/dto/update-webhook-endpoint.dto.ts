import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { WebhookEndpointDto } from './webhook-endpoint.dto.js';

const GENERATED = 'is generated. POST /v1/webhook-endpoints/{id}/rotate-secret replaces it';

/** Fields that no request sets. */
export const GENERATED_FIELDS = {
  id: READ_ONLY,
  disabled_reason: READ_ONLY,
  failing_since: READ_ONLY,
  former_secret_until: READ_ONLY,
  secret: GENERATED,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
};

/** Request body of `PATCH /v1/webhook-endpoints/{id}`. Omitted fields keep their values. */
@Refuses({ ...GENERATED_FIELDS, project_id: READ_ONLY })
@ApiSchema({ name: 'WebhookEndpointUpdate' })
export class UpdateWebhookEndpointDto extends PartialType(
  PickType(WebhookEndpointDto, ['url', 'description', 'event_types', 'format', 'status', 'status_page_id']),
) {}
