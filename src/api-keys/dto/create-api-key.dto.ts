import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { ChoiceList, Field, issue, type Issue, Text, UuidList } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { type Scope, SCOPES } from '../../auth/scopes.js';

/** What `POST /v1/api-keys` takes. */
@Refuses({
  id: READ_ONLY,
  prefix: READ_ONLY,
  revoked_at: READ_ONLY,
  last_used_at: READ_ONLY,
  created_at: READ_ONLY,
  key: READ_ONLY,
})
@ApiSchema({ name: 'ApiKeyCreate' })
export class CreateApiKeyDto {
  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Deployment' })
  name!: string;

  @ChoiceList({
    of: SCOPES,
    description: 'What the key is to be allowed: scopes that the key in use has itself.',
    example: ['status_pages:read'],
  })
  scopes!: Scope[];

  @UuidList({
    optional: true,
    nullable: true,
    min: 1,
    max: 1_000,
    description:
      'The projects to narrow the key to, of those that the key in use covers; null: all of the organization. By default those of the key in use.',
    example: [EXAMPLE_IDS.project],
  })
  project_ids?: string[] | null;

  @Field(
    checkFuture,
    {
      optional: true,
      nullable: true,
      description:
        'When the key is to expire: UTC (`Z`), in the future, not after the key in use; null: never. By default when the key in use does.',
      // No example: it would be in the past some day.
    },
    { type: 'string', format: 'date-time', maxLength: 24 },
  )
  expires_at?: string | null;
}

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

function checkFuture(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string or null')];
  const time = new Date(value);
  // The day is compared, because "…-02-30" parses, as a day of March.
  const valid =
    UTC_TIME.test(value) &&
    !Number.isNaN(time.getTime()) &&
    time.toISOString().startsWith(value.slice(0, 10));
  if (!valid) return [issue('invalid_format', 'must be a time in UTC such as 2027-11-20T12:00:00.000Z')];
  return time.getTime() > Date.now() ? [] : [issue('out_of_range', 'must be in the future')];
}
