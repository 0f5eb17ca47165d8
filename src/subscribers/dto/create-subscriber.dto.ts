import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Flag } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { SubscriberDto } from './subscriber.dto.js';

/** Whether the caller vouches for the consent of the addresses' owners. */
export class ConfirmedField {
  @Flag({
    optional: true,
    description:
      'true: the owner of the address has already agreed to get mail, for which the caller is responsible. The subscriber is active immediately, and no confirmation is sent. Default: false.',
    example: true,
  })
  confirmed?: boolean;
}

/** Choice of the mail that a new subscriber gets. */
export class ChoiceFields extends PartialType(
  PickType(SubscriberDto, ['monitor_ids', 'detail', 'maintenances'] as const),
) {}

/** Request body of `POST /v1/subscribers`. */
@Refuses({
  id: READ_ONLY,
  project_id: 'is the project of the status page',
  status: 'follows from `confirmed`',
  suppressed_reason: READ_ONLY,
  source: READ_ONLY,
  confirmed_at: READ_ONLY,
  last_sent_at: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'SubscriberCreate' })
export class CreateSubscriberDto extends IntersectionType(
  PickType(SubscriberDto, ['status_page_id', 'email'] as const),
  ChoiceFields,
  ConfirmedField,
) {}
