import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, Flag, Uuid, UuidList } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import {
  type Detail,
  DETAILS,
  type Source,
  SOURCES,
  SUBSCRIBER_STATUSES,
  type SubscriberStatus,
  SUPPRESSED_REASONS,
  type SuppressedReason,
} from '../subscriber.entity.js';
import { Email } from './email.js';

/** Maximum number of monitors that a subscription names: as many as a status page can show. */
const MAX_MONITORS = 1_000;

const TIME = '2026-11-20T12:00:00.000Z';

/** A subscriber in a response. */
@ApiSchema({ name: 'Subscriber' })
export class SubscriberDto {
  @ResponseId('ID of the subscriber.', EXAMPLE_IDS.subscriber)
  id!: string;

  @Email({
    description:
      'Email address, as entered. Addresses are unique on a status page, regardless of upper and lower case.',
    example: 'grace@example.com',
  })
  email!: string;

  @Choice({
    of: SUBSCRIBER_STATUSES,
    description:
      '`pending`: the owner of the address has not confirmed it yet, and it is deleted after 7 days. `active`: gets mail. `suppressed`: gets no mail.',
    example: 'active',
  })
  status!: SubscriberStatus;

  @Choice({
    of: SUPPRESSED_REASONS,
    nullable: true,
    description:
      'Reason for the suppression. `bounced`: a mail server has rejected the address. `complained`: the recipient has reported mail as spam. `manual`: a PATCH has suppressed the subscriber. null: the subscriber is not suppressed.',
    example: null,
  })
  suppressed_reason!: SuppressedReason | null;

  @UuidList({
    min: 1,
    max: MAX_MONITORS,
    nullable: true,
    description: 'Monitors that the mail is about. They must belong to the project. null: all.',
    example: null,
  })
  monitor_ids!: string[] | null;

  @Choice({
    of: DETAILS,
    description:
      '`all`: mail about every update. `edges`: only when an incident or a maintenance window begins, and when it is over.',
    example: 'all',
  })
  detail!: Detail;

  @Flag({ description: 'Whether there is mail about maintenance windows.', example: true })
  maintenances!: boolean;

  @Choice({
    of: SOURCES,
    description: 'Origin of the subscriber: a visitor of the page, this API, or an import of a file.',
    example: 'api',
  })
  source!: Source;

  @NullableTime(
    'When the owner of the address, or the operator for the owner, confirmed the subscription, or null.',
    TIME,
  )
  confirmed_at!: Date | null;

  @NullableTime('When mail was last delivered, or null.', TIME)
  last_sent_at!: Date | null;

  @Uuid({
    description: 'Status page that the subscription is about.',
    example: EXAMPLE_IDS.status_page,
  })
  status_page_id!: string;

  @ProjectId('Project that owns the status page.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
