import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId } from '../../platform/openapi/response-fields.js';
import { Text, Time } from '../../platform/validation/fields.js';
import { type Scope, SCOPES } from '../../platform/auth/scopes.js';

export const KeyName = () => Text({ min: 1, max: 200, description: 'Display name.', example: 'Deployment' });

/** An API key in a response, without its secret. */
@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto {
  @ResponseId('ID of the API key.', EXAMPLE_IDS.api_key)
  id!: string;

  @KeyName()
  name!: string;

  @ApiProperty({
    minLength: 8,
    maxLength: 8,
    description: 'First 8 characters of the key, for identification.',
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
    description: 'Projects that the key is restricted to; null: all projects of its organization.',
    example: null,
  })
  project_ids!: string[] | null;

  @Time({
    nullable: true,
    description: 'Expiry time; null: never.',
    example: '2027-11-20T12:00:00.000Z',
  })
  expires_at!: Date | null;

  @Time({
    nullable: true,
    description:
      'Time at which the key is revoked. During the overlap period of a rotation, this time is in the future. null if the key is not revoked.',
    example: null,
  })
  revoked_at!: Date | null;

  @Time({
    nullable: true,
    description: 'Time of the last use, accurate to about a second; null: never used.',
    example: null,
  })
  last_used_at!: Date | null;

  @CreatedAt()
  created_at!: Date;
}

/** Response to a creation or rotation. No other response contains the key itself. */
@ApiSchema({ name: 'NewApiKey' })
export class NewApiKeyDto extends ApiKeyDto {
  @ApiProperty({
    pattern: '^sp_[0-9A-Za-z]{46}$',
    minLength: 49,
    maxLength: 49,
    type: 'string',
    nullable: true,
    description:
      'Secret key. Only this response contains it. The server does not store it, so a replay for a repeated `Idempotency-Key` contains null.',
    example: 'sp_' + '0'.repeat(46),
  })
  key!: string;
}
