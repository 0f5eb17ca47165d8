import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { UUID_SCHEMA } from '../../../platform/validation/uuid.js';
import { MAX_RESPONSE_MS } from '../response-bins.js';
import { RESOLUTIONS, type Resolution } from '../response-time.entity.js';

/** Hours of 32 days, or days of 400 days, with one that the range has begun. */
const MAX_PERIODS = 769;

const Moment = (description: string) =>
  ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: 24,
    description,
    example: '2026-11-20T08:00:00.000Z',
  });

const Quantile = (description: string, example: number) =>
  ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_RESPONSE_MS * 1.05,
    description: `${description}, within 5 %.`,
    example,
  });

/** Response times of a monitor in an hour or a day. */
@ApiSchema({ name: 'ResponseTimePeriod' })
export class ResponseTimePeriodDto {
  @Moment('Start of the hour or day, in UTC.')
  started_at!: Date;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Number of reports with a response time.',
    example: 60,
  })
  count!: number;

  @Quantile('Median in milliseconds', 120)
  p50!: number;

  @Quantile('Time in milliseconds within which 95 % responded', 310)
  p95!: number;

  @Quantile('Time in milliseconds within which 99 % responded', 640)
  p99!: number;
}

@ApiSchema({ name: 'ResponseTimes' })
export class ResponseTimesDto {
  @ApiProperty({ ...UUID_SCHEMA, description: 'ID of the monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @ApiProperty({
    type: 'string',
    enum: [...RESOLUTIONS],
    description: 'Length of a period.',
    example: 'hour',
  })
  resolution!: Resolution;

  @Moment('Start of the first period.')
  from!: Date;

  @Moment('End of the range.')
  to!: Date;

  @ApiProperty({
    type: () => ResponseTimePeriodDto,
    isArray: true,
    maxItems: MAX_PERIODS,
    description: 'Periods with response times, oldest first.',
  })
  periods!: ResponseTimePeriodDto[];
}
