import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, TimeOf } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Text, UuidList } from '../../platform/validation/fields.js';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '../maintenance-status.js';
import { EndsAt, StartsAt } from './window.js';

/** Maximum number of status pages that a maintenance window references. */
export const MAX_STATUS_PAGES = 100;

/** A maintenance window in a response. */
@ApiSchema({ name: 'Maintenance' })
export class MaintenanceDto {
  @ResponseId('ID of the maintenance window.', EXAMPLE_IDS.maintenance)
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Title of the maintenance window. Must contain a non-whitespace character.',
    example: 'Database upgrade',
  })
  title!: string;

  @Text({
    min: 0,
    max: 10_000,
    description: 'Description in Markdown.',
    example: 'Writes are delayed for a few minutes.',
  })
  body!: string;

  @Choice({
    of: MAINTENANCE_STATUSES,
    description:
      'Derived from the current time: `scheduled` before `starts_at`, `in_progress` until `ends_at`, then `completed`. A PATCH can set `completed`, which ends the window early, or `cancelled`.',
    example: 'completed',
  })
  status!: MaintenanceStatus;

  @StartsAt({
    description: 'Start of the window: from the year 2000 to 400 days in the future. It can be in the past.',
    example: '2026-01-11T02:00:00.000Z',
  })
  starts_at!: Date;

  @EndsAt({
    description: 'End of the window. Must be after `starts_at`, but not more than 30 days after it.',
    example: '2026-01-11T03:30:00.000Z',
  })
  ends_at!: Date;

  @UuidList({
    max: 100,
    description: 'Monitors under maintenance. They must belong to the project.',
    example: [EXAMPLE_IDS.monitor],
  })
  monitor_ids!: string[];

  @UuidList({
    max: MAX_STATUS_PAGES,
    nullable: true,
    description:
      'Status pages that show the maintenance window. They must belong to the project. null: every status page that shows one of the monitors, and every status page of the project if there are no monitors.',
    example: [EXAMPLE_IDS.status_page],
  })
  status_page_ids!: string[] | null;

  @ProjectId('Project that owns the maintenance window.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @TimeOf(
    'The latest of these times in UTC, with millisecond precision: the last change, and the start and end of the window once they have passed. If `completed` or `cancelled` was set, the time of the last change.',
  )
  updated_at!: Date;
}
