import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../events/event-types.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, ChoiceList, Text, Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import {
  DISABLED_REASONS,
  type DisabledReason,
  ENDPOINT_STATUSES,
  type EndpointStatus,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '../webhook-endpoint.entity.js';
import { EndpointUrl } from './endpoint-url.js';

/** A webhook endpoint in a response, without its secret. */
@ApiSchema({ name: 'WebhookEndpoint' })
export class WebhookEndpointDto {
  @ResponseId('ID of the webhook endpoint.', EXAMPLE_IDS.webhook_endpoint)
  id!: string;

  @EndpointUrl({
    description:
      'URL that gets a POST request for each event. `https`, without user, password and fragment. An address in it must be public. Stored as the WHATWG URL Standard serializes it.',
    example: 'https://hooks.example.com/status',
  })
  url!: string;

  @Text({
    min: 1,
    max: 500,
    nullable: true,
    description: 'Note for operators; null: none.',
    example: 'Chat of the support team',
  })
  description!: string | null;

  @ChoiceList({
    of: EVENT_TYPES,
    min: 0,
    description: 'Types of the events that are sent. Empty: all, including types that are added later.',
    example: ['incident.created', 'incident.resolved'],
  })
  event_types!: EventType[];

  @Choice({
    of: WEBHOOK_FORMATS,
    description:
      'Format of the messages. `standard`: signed JSON according to Standard Webhooks. `slack`, `discord` and `teams`: messages for the incoming webhooks of these services.',
    example: 'standard',
  })
  format!: WebhookFormat;

  @Choice({
    of: ENDPOINT_STATUSES,
    description:
      '`disabled`: nothing is sent, and events in the meantime are lost unless they are replayed. `enabled` clears `disabled_reason` and `failing_since`.',
    example: 'enabled',
  })
  status!: EndpointStatus;

  @Choice({
    of: DISABLED_REASONS,
    nullable: true,
    description:
      'Reason of the status `disabled`. `manual`: disabled by a request. `gone`: its response was 410. `failing`: no success for 5 days. null if it is enabled.',
    example: null,
  })
  disabled_reason!: DisabledReason | null;

  @NullableTime(
    'Time of the first failed attempt since the last success; null: no failed attempt since. A new `url` clears it.',
  )
  failing_since!: Date | null;

  @NullableTime('Time until which the former secret signs as well, after a rotation; null: no rotation.')
  former_secret_until!: Date | null;

  @Uuid({
    nullable: true,
    description:
      'Status page of the project; only events about what it shows are sent. The page may have been deleted. null: the events of the whole project.',
    example: EXAMPLE_IDS.status_page,
  })
  status_page_id!: string | null;

  @ProjectId('Project that owns the webhook endpoint.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}

/** Response to a creation or a rotation of the secret. No other response contains the secret. */
@ApiSchema({ name: 'NewWebhookEndpoint' })
export class NewWebhookEndpointDto extends WebhookEndpointDto {
  @ApiProperty({
    pattern: '^whsec_[0-9A-Za-z+/]{43}=$',
    minLength: 50,
    maxLength: 50,
    type: 'string',
    nullable: true,
    description:
      'Secret that signs the messages: `whsec_` and 32 bytes in base64. Only this response contains it; a replay for a repeated `Idempotency-Key` contains null.',
    example: `whsec_${'A'.repeat(43)}=`,
  })
  secret!: string;
}
