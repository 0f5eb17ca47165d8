import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import type { Report, ReportByKey } from '../reports.service.js';
import { MAX_REPORTS, MonitorReports } from './monitor-report.dto.js';

/** Request body of `POST /v1/monitor-reports`. */
@ApiSchema({ name: 'MonitorReports' })
export class CreateMonitorReportsDto {
  @ProjectId('Project that owns the monitors.')
  project_id!: string;

  @MonitorReports({
    description: `1 to ${MAX_REPORTS} reports in any order. If any report is invalid, all reports are rejected.`,
    example: [{ monitor_id: EXAMPLE_IDS.monitor, status: 'operational' }],
  })
  reports!: (Report | ReportByKey)[];
}
