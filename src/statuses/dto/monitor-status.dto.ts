import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MONITOR_STATUSES, type MonitorStatus, REPORTED_STATUSES } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { UUID_SCHEMA } from '../../platform/validation/uuid.js';

const Ids = (description: string, example: string) =>
  ApiProperty({ type: 'array', items: UUID_SCHEMA, maxItems: 100, description, example: [example] });

/** The status of a monitor now, and what it follows from. */
@ApiSchema({ name: 'MonitorStatus' })
export class MonitorStatusDto {
  @ApiProperty({ ...UUID_SCHEMA, description: 'The monitor.', example: EXAMPLE_IDS.monitor })
  monitor_id!: string;

  @ApiProperty({
    type: 'string',
    enum: [...MONITOR_STATUSES],
    description:
      'The worst of what open incidents say and of `reported_status`; in a maintenance, `under_maintenance` instead of the latter.',
    example: 'partial_outage',
  })
  status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    enum: [...REPORTED_STATUSES, 'unknown'],
    description: 'The last report. `unknown`: there is none, or none within `stale_after_seconds`.',
    example: 'operational',
  })
  reported_status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: 24,
    nullable: true,
    description: 'When it last reported; null: never.',
    example: '2026-11-20T12:00:00.000Z',
  })
  observed_at!: Date | null;

  @Ids('Open incidents that affect it now; of more than 100, the worst.', EXAMPLE_IDS.incident)
  incident_ids!: string[];

  @Ids('Maintenances in progress; of more than 100, those that started first.', EXAMPLE_IDS.maintenance)
  maintenance_ids!: string[];
}
