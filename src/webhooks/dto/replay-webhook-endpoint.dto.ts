import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Time, TimeRule } from '../../platform/validation/fields.js';

/** Finished deliveries are kept for this time. */
const MAX_DAYS = 30;
const DAY_MS = 86_400_000;

/** Maximum number of events that one request replays. */
export const MAX_REPLAYED = 10_000;

/** Request body of `POST /v1/webhook-endpoints/{id}/replay`. */
@ApiSchema({ name: 'WebhookReplayRequest' })
export class ReplayWebhookEndpointDto {
  @Time({
    optional: true,
    description: `Time of the first event: in the past, and at most ${MAX_DAYS} days ago. Default: a day ago.`,
    // No example, because a fixed time will eventually be too old.
  })
  @TimeRule('isRecent', `must be in the past, and at most ${MAX_DAYS} days ago`, (time) => {
    const age = Date.now() - time.getTime();
    return age >= 0 && age <= MAX_DAYS * DAY_MS;
  })
  since: Date = new Date(Date.now() - DAY_MS);
}

/** Response of `POST /v1/webhook-endpoints/{id}/replay`. */
@ApiSchema({ name: 'WebhookReplay' })
export class WebhookReplayDto {
  @Time({ description: 'Time of the first event.', examples: ['2026-11-20T12:00:00.000Z'] })
  since!: Date;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_REPLAYED,
    description: 'Number of events that are sent again.',
    example: 42,
  })
  deliveries!: number;
}
