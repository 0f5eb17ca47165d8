import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_REPORTS } from './monitor-report.dto.js';

/** Result of `POST /v1/monitor-reports`. */
@ApiSchema({ name: 'MonitorReportsResult' })
export class ReportsResultDto {
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_REPORTS,
    description: 'Number of reports.',
    example: 1_000,
  })
  reports!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_REPORTS,
    description:
      "Number of reports with a status different from the monitor's previous status at `observed_at`.",
    example: 3,
  })
  changed!: number;
}
