import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId } from '../../platform/openapi/response-fields.js';
import { Text } from '../../platform/validation/fields.js';

const EXAMPLE_TOKEN = `al_${'0'.repeat(46)}`;

/** A link with a token to a private status page, without the token. */
@ApiSchema({ name: 'AccessLink' })
export class AccessLinkDto {
  @ResponseId('ID of the link.', EXAMPLE_IDS.access_link)
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Purpose of the link, such as the program or the person that uses it.',
    example: 'Feed reader of the support team',
  })
  description!: string;

  @NullableTime('Time of the last use, accurate to an hour; null: never used.')
  last_used_at!: Date | null;

  @ResponseId('Status page that the link shows.', EXAMPLE_IDS.status_page)
  status_page_id!: string;

  @CreatedAt()
  created_at!: Date;
}

/** Response to a creation. No other response contains the token. */
@ApiSchema({ name: 'NewAccessLink' })
export class NewAccessLinkDto extends AccessLinkDto {
  @ApiProperty({
    type: 'string',
    pattern: '^al_[0-9A-Za-z]{46}$',
    minLength: 49,
    maxLength: 49,
    nullable: true,
    description:
      'Token for the parameter `token` of every URL of the page. Only this response contains it; a replay for a repeated `Idempotency-Key` contains null.',
    example: EXAMPLE_TOKEN,
  })
  token!: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    maxLength: 2_500,
    nullable: true,
    description:
      'URL of the page with the token. Only this response contains it; a replay for a repeated `Idempotency-Key` contains null.',
    example: `https://status.example.com/status/acme-cloud?token=${EXAMPLE_TOKEN}`,
  })
  url!: string;
}
