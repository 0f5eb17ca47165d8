import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_ALERTS } from '../alertmanager.js';

const MAX_TIMES = 3 * MAX_ALERTS;
const count = (maximum: number) => ({ type: 'integer', format: 'int32', minimum: 0, maximum }) as const;

/** Result of `POST /v1/receivers/alertmanager`. */
@ApiSchema({ name: 'AlertmanagerResult' })
export class DeliveryResultDto {
  @ApiProperty({
    ...count(MAX_TIMES),
    description:
      "Number of reports. For each monitor, the service records a report at each alert start or end that changes the monitor's status, and one at the current time.",
    example: 2,
  })
  reports!: number;

  @ApiProperty({
    ...count(MAX_TIMES),
    description:
      "Number of reports with a status different from the monitor's previous status at `observed_at`.",
    example: 1,
  })
  changed!: number;

  @ApiProperty({
    ...count(MAX_ALERTS),
    description: 'Number of alerts that were skipped because they lack the label.',
    example: 0,
  })
  skipped!: number;
}
