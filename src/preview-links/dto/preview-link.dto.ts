import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** A preview link in the response to its creation: the only one that contains it. */
@ApiSchema({ name: 'PreviewLink' })
export class PreviewLinkDto {
  @ApiProperty({
    format: 'uri',
    maxLength: 2_500,
    type: 'string',
    nullable: true,
    description:
      'The link, below `PUBLIC_URL`. Whoever has it sees the page with all its parts. Only this response contains it: null in a replay for a repeated `Idempotency-Key`.',
    example: `https://status.example.com/status/acme-cloud?preview=pv_${'0'.repeat(46)}`,
  })
  url!: string;

  @ApiProperty({
    format: 'date-time',
    maxLength: 24,
    description: 'When the link stops working: 24 hours after its creation.',
    example: '2026-11-21T12:00:00.000Z',
  })
  expires_at!: Date;
}
