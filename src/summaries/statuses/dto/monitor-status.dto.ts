import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MONITOR_STATUSES, type MonitorStatus, REPORTED_STATUSES } from '../../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { UUID_SCHEMA } from '../../../platform/validation/uuid.js';

const Ids = (description: string, example: string) =>
  ApiProperty({ type: 'array', items: UUID_SCHEMA, maxItems: 100, description, example: [example] });

/** Current status of a monitor, and the values from which it is derived. */
@ApiSchema({ name: 'MonitorStatus' })
export class MonitorStatusDto {
  @ApiProperty({ ...UUID_SCHEMA, description: 'ID of the monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @ApiProperty({
    type: 'string',
    enum: [...MONITOR_STATUSES],
    description:
      'The worst of `reported_status` and the statuses set by open incidents. During a maintenance window, `under_maintenance` replaces `reported_status`.',
    example: 'partial_outage',
  })
  status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    enum: [...REPORTED_STATUSES, 'unknown'],
    description:
      'Status in the latest report, or `unknown` if this report is older than `stale_after_seconds`. Before the first report: `operational` if `stale_after_seconds` is null, otherwise `unknown`.',
    example: 'operational',
  })
  reported_status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: 24,
    nullable: true,
    description: 'Time of the latest report; null: no report yet.',
    example: '2026-11-20T12:00:00.000Z',
  })
  observed_at!: Date | null;

  @Ids(
    'Open incidents that affect the monitor, limited to the 100 that set the worst statuses for this monitor.',
    EXAMPLE_IDS.incident,
  )
  incident_ids!: string[];

  @Ids('Maintenance windows in progress, limited to the 100 that started first.', EXAMPLE_IDS.maintenance)
  maintenance_ids!: string[];
}
