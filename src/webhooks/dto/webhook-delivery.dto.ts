import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../deliveries/delivery.entity.js';
import { EVENT_TYPES, type EventType } from '../../events/event-types.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId, TimeOf } from '../../platform/openapi/response-fields.js';
import { ListQuery } from '../../platform/pagination/list-page.js';
import { Choice, Uuid } from '../../platform/validation/fields.js';

/** Maximum length of `response`. */
const MAX_RESPONSE = 500;
const MAX_ERROR = 200;
const MAX_ATTEMPTS = 10;
const MAX_DURATION_MS = 60_000;

/** Result of a request to an endpoint. */
export class WebhookResult {
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 100,
    maximum: 999,
    nullable: true,
    description: 'HTTP status of the response; null: no response.',
    example: 200,
  })
  status_code!: number | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_DURATION_MS,
    description: 'Time until the head of the response, or until the failure, in milliseconds.',
    example: 120,
  })
  duration_ms!: number;

  @ApiProperty({
    type: 'string',
    maxLength: MAX_RESPONSE,
    nullable: true,
    description: "First 500 bytes of the response's body; null: no response.",
    example: 'ok',
  })
  response!: string | null;

  @ApiProperty({
    type: 'string',
    maxLength: MAX_ERROR,
    nullable: true,
    description: 'Reason of the failure; null: success.',
    example: null,
  })
  error!: string | null;
}

/** Response of `POST /v1/webhook-endpoints/{id}/test`. */
@ApiSchema({ name: 'WebhookTest' })
export class WebhookTestDto extends WebhookResult {}

/** An attempt of a delivery. */
@ApiSchema({ name: 'WebhookAttempt' })
export class WebhookAttemptDto extends WebhookResult {
  @TimeOf('Start of the attempt.')
  at!: string;
}

/** A delivery of an event to a webhook endpoint. */
@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryDto {
  @ResponseId('ID of the delivery.', EXAMPLE_IDS.delivery)
  id!: string;

  @ResponseId('Webhook endpoint that gets the event.', EXAMPLE_IDS.webhook_endpoint)
  endpoint_id!: string;

  @ResponseId('Event, and the `webhook-id` of its message.', EXAMPLE_IDS.event)
  event_id!: string;

  @Choice({ of: EVENT_TYPES, description: 'Type of the event.', example: 'incident.created' })
  event_type!: EventType;

  @Choice({
    of: DELIVERY_STATUSES,
    description:
      '`pending`: not delivered yet. `delivered`: the response was 2xx. `failed`: all attempts failed. `cancelled`: nothing to send, because the resource, its update or the endpoint has been deleted or disabled.',
    example: 'delivered',
  })
  status!: DeliveryStatus;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 1_000,
    description: 'Number of attempts that have begun, since the last retry or replay.',
    example: 1,
  })
  attempt_count!: number;

  @NullableTime(
    'Time of the next attempt; null unless `pending`. During an attempt: the time at which it is repeated if the process stops.',
  )
  next_attempt_at!: Date | null;

  @CreatedAt()
  created_at!: Date;

  @NullableTime(
    'Time at which the delivery was delivered, failed or was cancelled; null while it is pending.',
  )
  finished_at!: Date | null;

  @ApiProperty({
    type: () => WebhookAttemptDto,
    isArray: true,
    maxItems: MAX_ATTEMPTS,
    description: 'Last 10 attempts, oldest first, including those before a retry or replay.',
  })
  attempts!: WebhookAttemptDto[];
}

/** Query parameters of `GET /v1/deliveries`. */
export class ListWebhookDeliveriesQuery extends ListQuery {
  @Uuid({
    description: 'Webhook endpoint whose deliveries are listed.',
    example: EXAMPLE_IDS.webhook_endpoint,
  })
  endpoint_id!: string;

  @Choice({ of: DELIVERY_STATUSES, optional: true, description: 'Lists only deliveries with this status.' })
  status?: DeliveryStatus;
}
