import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ListQuery } from '../../platform/pagination/list-page.js';
import { Choice, Uuid } from '../../platform/validation/fields.js';
import { SUBSCRIBER_STATUSES, type SubscriberStatus } from '../subscriber.entity.js';
import { Email } from './email.js';

/** Query parameters of `GET /v1/subscribers`. */
export class ListSubscribersQuery extends ListQuery {
  @Uuid({ description: 'Status page whose subscribers are listed.', example: EXAMPLE_IDS.status_page })
  status_page_id!: string;

  @Choice({
    of: SUBSCRIBER_STATUSES,
    optional: true,
    description: 'Lists only subscribers with this status.',
  })
  status?: SubscriberStatus;

  @Email({
    optional: true,
    description: 'Lists only the subscriber with this address, regardless of upper and lower case.',
  })
  email?: string;
}
