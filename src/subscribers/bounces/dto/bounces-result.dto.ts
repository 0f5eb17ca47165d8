import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const;

/** Result of `POST /v1/receivers/bounces`. Contains no addresses. */
@ApiSchema({ name: 'BouncesResult' })
export class BouncesResultDto {
  @ApiProperty({
    ...count,
    description: 'Number of subscribers that are suppressed now and were not before.',
    example: 1,
  })
  suppressed!: number;

  @ApiProperty({
    ...count,
    description:
      'Number of subscribers whose soft bounce was counted. Another one on another day suppresses them, unless mail is delivered in between.',
    example: 0,
  })
  counted!: number;
}
