import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TimeOf } from '../../../platform/openapi/response-fields.js';

/** A preview link in the response to its creation. No other response contains it. */
@ApiSchema({ name: 'PreviewLink' })
export class PreviewLinkDto {
  @ApiProperty({
    format: 'uri',
    maxLength: 2_500,
    type: 'string',
    nullable: true,
    description:
      'Preview URL, below `PUBLIC_URL`. Anyone who has it can view the whole status page. Only this response contains it. A replay for a repeated `Idempotency-Key` contains null.',
    example: `https://status.example.com/status/acme-cloud?preview=pv_${'0'.repeat(46)}`,
  })
  url!: string;

  @TimeOf('Expiry time of the link: 24 hours after its creation.', '2026-11-21T12:00:00.000Z')
  expires_at!: Date;
}
