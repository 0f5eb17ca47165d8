import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_ALERTS } from '../alertmanager.js';

const MAX_TIMES = 3 * MAX_ALERTS;
const count = (maximum: number) => ({ type: 'integer', format: 'int32', minimum: 0, maximum }) as const;

/** What `POST /v1/receivers/alertmanager` has recorded. */
@ApiSchema({ name: 'AlertmanagerResult' })
export class DeliveryResultDto {
  @ApiProperty({
    ...count(MAX_TIMES),
    description:
      'Number of reports: for each monitor, one for each time at which its alerts changed its status, and one for now.',
    example: 2,
  })
  reports!: number;

  @ApiProperty({
    ...count(MAX_TIMES),
    description: 'Number of reports that gave their monitor another status at their time.',
    example: 1,
  })
  changed!: number;

  @ApiProperty({
    ...count(MAX_ALERTS),
    description: 'Number of alerts without the label, which were skipped.',
    example: 0,
  })
  skipped!: number;
}
