import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Messages that a write would cause. */
@ApiSchema({ name: 'DryRunNotifications' })
export class DryRunNotificationsDto {
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Number of emails that the write would cause.',
    example: 1_234,
  })
  email!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Number of webhooks that the write would cause.',
    example: 2,
  })
  webhook!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 63 },
    maxItems: 100_000,
    description:
      'Slugs of the status pages that show the subject of the messages, with or without subscribers.',
    example: ['acme-cloud'],
  })
  pages!: string[];
}

/** Effects that a write would have. */
@ApiSchema({ name: 'DryRun' })
export class DryRunDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    maxItems: 100_000,
    description:
      'JSON Patch (RFC 6902) from the current resource to `data`. For a new resource, one operation adds it.',
    example: [{ op: 'replace', path: '/name', value: 'Acme Cloud' }],
  })
  changes!: object[];

  @ApiProperty({ description: 'Messages that the write would cause.' })
  notifications!: DryRunNotificationsDto;
}
