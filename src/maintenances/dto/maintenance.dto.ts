import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Text, UuidList } from '../../platform/validation/fields.js';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '../maintenance-status.js';
import { EndsAt, StartsAt } from './window.js';

/** The maximum number of status pages that a maintenance names. */
export const MAX_STATUS_PAGES = 100;

/** A maintenance in a response. */
@ApiSchema({ name: 'Maintenance' })
export class MaintenanceDto {
  @ResponseId('Identifier of the maintenance.', EXAMPLE_IDS.maintenance)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Title, not only white space.', example: 'Database upgrade' })
  title!: string;

  @Text({
    min: 0,
    max: 10_000,
    description: 'What happens, as Markdown.',
    example: 'Writes are delayed for a few minutes.',
  })
  body!: string;

  @Choice({
    of: MAINTENANCE_STATUSES,
    description:
      'Follows from the clock: `scheduled` before `starts_at`, `in_progress` until `ends_at`, then `completed`. An update can set `completed`, which ends the window early, or `cancelled`.',
    example: 'completed',
  })
  status!: MaintenanceStatus;

  @StartsAt({
    description: 'Start of the window: from 2000 until 400 days ahead. It may be in the past.',
    example: '2026-01-11T02:00:00.000Z',
  })
  starts_at!: Date;

  @EndsAt({
    description: 'End of the window: after `starts_at`, at most 30 days.',
    example: '2026-01-11T03:30:00.000Z',
  })
  ends_at!: Date;

  @UuidList({
    max: 100,
    description: 'The monitors that are under maintenance. They must belong to the project.',
    example: [EXAMPLE_IDS.monitor],
  })
  monitor_ids!: string[];

  @UuidList({
    max: MAX_STATUS_PAGES,
    nullable: true,
    description:
      'The status pages that show the maintenance. They must belong to the project. null: every status page that shows one of the monitors.',
    example: [EXAMPLE_IDS.status_page],
  })
  status_page_ids!: string[] | null;

  @ProjectId('Project that owns the maintenance.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
