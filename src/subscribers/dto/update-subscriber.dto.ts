import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Choice } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { SubscriberDto } from './subscriber.dto.js';

class StatusField {
  @Choice({
    of: ['active', 'suppressed'],
    optional: true,
    description:
      '`suppressed` stops mail to an active subscriber, with the reason `manual`. `active` lifts the suppression of a confirmed subscriber.',
    example: 'active',
  })
  status?: 'active' | 'suppressed';
}

/** Request body of `PATCH /v1/subscribers/{id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  email: 'cannot be changed, because its owner must consent. Delete the subscriber, and create another one',
  suppressed_reason: READ_ONLY,
  source: READ_ONLY,
  confirmed_at: READ_ONLY,
  last_sent_at: READ_ONLY,
  status_page_id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'SubscriberUpdate' })
export class UpdateSubscriberDto extends IntersectionType(
  PartialType(PickType(SubscriberDto, ['monitor_ids', 'detail', 'maintenances'] as const)),
  StatusField,
) {}
