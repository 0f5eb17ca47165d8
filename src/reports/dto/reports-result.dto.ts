import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MAX_REPORTS } from './monitor-report.dto.js';

/** What `POST /v1/monitor-reports` has recorded. */
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
    description: 'Number of reports that gave their monitor another status at their time.',
    example: 3,
  })
  changed!: number;
}
