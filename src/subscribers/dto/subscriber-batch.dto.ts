import { ApiProperty, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { NullableId } from '../../platform/openapi/response-fields.js';
import { type InputError, ListOf } from '../../platform/validation/fields.js';
import { emailKey, isEmailAddress } from '../email-address.js';
import { ChoiceFields, ConfirmedField } from './create-subscriber.dto.js';
import { SubscriberDto } from './subscriber.dto.js';

/** Maximum number of subscribers in one request. */
const MAX_BATCH = 1_000;

/** A new subscriber in a list. */
@ApiSchema({ name: 'SubscriberBatchItem' })
export class SubscriberBatchItemDto extends IntersectionType(
  PickType(SubscriberDto, ['email'] as const),
  ChoiceFields,
) {}

class SubscribersField {
  @ListOf(SubscriberBatchItemDto, {
    max: MAX_BATCH,
    crossCheck: repeatedAddresses,
    description: 'New subscribers with different addresses.',
    example: [{ email: 'alan@example.com' }, { email: 'barbara@example.com', detail: 'edges' }],
  })
  subscribers!: SubscriberBatchItemDto[];
}

/** Request body of `POST /v1/subscribers/batch`. */
@ApiSchema({ name: 'SubscriberBatch' })
export class CreateSubscriberBatchDto extends IntersectionType(
  PickType(SubscriberDto, ['status_page_id'] as const),
  ConfirmedField,
  SubscribersField,
) {}

const RESULTS = ['created', 'existing', 'erased'] as const;

const Count = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: MAX_BATCH, description, example });

/** Result for an item. */
@ApiSchema({ name: 'SubscriberBatchItemResult' })
export class SubscriberBatchItemResultDto {
  @NullableId('ID of the new or existing subscriber; null for an erased address.', EXAMPLE_IDS.subscriber)
  id!: string | null;

  @ApiProperty({
    type: 'string',
    enum: [...RESULTS],
    description:
      '`created`. `existing`: the page already had the address, and the subscriber has not changed. `erased`: the address was unsubscribed, and has not been added again.',
    example: 'created',
  })
  result!: (typeof RESULTS)[number];
}

/** Response of `POST /v1/subscribers/batch`. */
@ApiSchema({ name: 'SubscriberBatchResult' })
export class SubscriberBatchResultDto {
  @Count('Number of new subscribers.', 2)
  created!: number;

  @Count('Number of addresses that the page already had.', 0)
  existing!: number;

  @Count('Number of addresses that were unsubscribed, and have not been added again.', 0)
  erased!: number;

  @ApiProperty({
    type: () => SubscriberBatchItemResultDto,
    isArray: true,
    maxItems: MAX_BATCH,
    description: 'Result for each item, in the order of the request.',
  })
  results!: SubscriberBatchItemResultDto[];
}

function repeatedAddresses(items: Map<number, SubscriberBatchItemDto>): InputError[] {
  const seen = new Set<string>();
  return [...items].flatMap(([index, { email }]): InputError[] => {
    if (typeof email !== 'string' || !isEmailAddress(email)) return []; // reported by its own rule
    const key = emailKey(email);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: [index, 'email'], code: 'duplicate', detail: 'must not be repeated' }];
  });
}
