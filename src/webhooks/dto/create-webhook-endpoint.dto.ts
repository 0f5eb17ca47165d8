import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { Refuses } from '../../platform/validation/refused-fields.js';
import { GENERATED_FIELDS, UpdateWebhookEndpointDto } from './update-webhook-endpoint.dto.js';
import { WebhookEndpointDto } from './webhook-endpoint.dto.js';

/** Request body of `POST /v1/webhook-endpoints`. */
@Refuses(GENERATED_FIELDS)
@ApiSchema({ name: 'WebhookEndpointCreate' })
export class CreateWebhookEndpointDto extends IntersectionType(
  PickType(WebhookEndpointDto, ['project_id', 'url']),
  OmitType(UpdateWebhookEndpointDto, ['url']),
) {}
