import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { ChoiceList, Future, Time, UuidList } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { type Scope, SCOPES } from '../../auth/scopes.js';
import { KeyName } from './api-key.dto.js';

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
  @KeyName()
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

  @Time({
    optional: true,
    nullable: true,
    description:
      'When the key is to expire: UTC (`Z`), in the future, not after the key in use; null: never. By default when the key in use does.',
    // No example: it would be in the past some day.
  })
  @Future()
  expires_at?: Date | null;
}
