import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId } from '../../platform/openapi/response-fields.js';
import { Text, Time } from '../../platform/validation/fields.js';
import { type Scope, SCOPES } from '../../platform/auth/scopes.js';

/** The display name of a key. */
export const KeyName = () => Text({ min: 1, max: 200, description: 'Display name.', example: 'Deployment' });

/** An API key in a response, without its secret. */
@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto {
  @ResponseId('Identifier of the key.', EXAMPLE_IDS.api_key)
  id!: string;

  @KeyName()
  name!: string;

  @ApiProperty({
    minLength: 8,
    maxLength: 8,
    description: 'The first 8 characters of the key, to recognize it.',
    example: 'sp_3kTMd',
  })
  prefix!: string;

  @ApiProperty({
    type: 'string',
    isArray: true,
    enum: SCOPES,
    maxItems: SCOPES.length,
    description: 'Permissions of the key. No scope implies another.',
    example: ['status_pages:read'],
  })
  scopes!: Scope[];

  @ApiProperty({
    type: 'array',
    nullable: true,
    items: { type: 'string', format: 'uuid', maxLength: 36 },
    maxItems: 1_000,
    description: 'The projects that the key is restricted to; null: all projects of its organization.',
    example: null,
  })
  project_ids!: string[] | null;

  @Time({
    nullable: true,
    description: 'When the key expires; null: never.',
    example: '2027-11-20T12:00:00.000Z',
  })
  expires_at!: Date | null;

  @Time({
    nullable: true,
    description:
      'When the key is revoked: in the future during the grace period of a rotation; null: not revoked.',
    example: null,
  })
  revoked_at!: Date | null;

  @Time({
    nullable: true,
    description: 'When the key was last used, accurate to about a second; null: never.',
    example: null,
  })
  last_used_at!: Date | null;

  @CreatedAt()
  created_at!: Date;
}

/** The response to a creation or rotation: the only one that contains the key itself. */
@ApiSchema({ name: 'NewApiKey' })
export class NewApiKeyDto extends ApiKeyDto {
  @ApiProperty({
    pattern: '^sp_[0-9A-Za-z]{46}$',
    minLength: 49,
    maxLength: 49,
    type: 'string',
    nullable: true,
    description:
      'The key itself. Only this response contains it: null in a replay for a repeated `Idempotency-Key`, because the server does not store it.',
    example: 'sp_' + '0'.repeat(46),
  })
  key!: string;
}
