import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ChoiceList, Future, Time, UuidList } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { type Scope, SCOPES } from '../../platform/auth/scopes.js';
import { KeyName } from './api-key.dto.js';

/** The body of `POST /v1/api-keys`. */
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
    description: 'Permissions of the new key. The key in use must have all of them.',
    example: ['status_pages:read'],
  })
  scopes!: Scope[];

  @UuidList({
    optional: true,
    nullable: true,
    min: 1,
    max: 1_000,
    description:
      'The projects that the new key is restricted to. The key in use must have access to all of them. null: all projects of the organization. Default: the projects of the key in use.',
    example: [EXAMPLE_IDS.project],
  })
  project_ids?: string[] | null;

  @Time({
    optional: true,
    nullable: true,
    description:
      'When the new key expires: UTC (`Z`), in the future, and not later than the key in use; null: never. Default: the expiry of the key in use.',
    // No example: a fixed time will be in the past one day.
  })
  @Future()
  expires_at?: Date | null;
}
