import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ChoiceList, Future, Time, UuidList } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { type Scope, SCOPES } from '../../platform/auth/scopes.js';
import { KeyName } from './api-key.dto.js';

/** Request body of `POST /v1/api-keys`. */
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
    description: 'Permissions of the new key. The calling key must have all of them.',
    example: ['status_pages:read'],
  })
  scopes!: Scope[];

  @UuidList({
    optional: true,
    nullable: true,
    min: 1,
    max: 1_000,
    description:
      'Projects that the new key is restricted to. The calling key must have access to all of them. null: all projects of the organization. Default: the projects of the calling key.',
    example: [EXAMPLE_IDS.project],
  })
  project_ids?: string[] | null;

  @Time({
    optional: true,
    nullable: true,
    description:
      'Expiry time: in the future, and not later than the expiry of the calling key; null: never. Default: the expiry of the calling key.',
    // No example, because a fixed time will eventually be in the past.
  })
  @Future()
  expires_at?: Date | null;
}
