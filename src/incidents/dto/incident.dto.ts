import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Text, UuidList } from '../../platform/validation/fields.js';
import { type Impact, IMPACTS, INCIDENT_STATUSES, type IncidentStatus } from '../incident-status.js';
import { type AffectedMonitorDto, AffectedMonitors } from './affected-monitor.dto.js';
import { PastTime } from './past-time.js';

/** The maximum number of status pages that an incident names. */
export const MAX_STATUS_PAGES = 100;

/** An incident in a response. */
@ApiSchema({ name: 'Incident' })
export class IncidentDto {
  @ResponseId('Identifier of the incident.', EXAMPLE_IDS.incident)
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'What is wrong, not only white space.',
    example: 'Errors on the API',
  })
  title!: string;

  @Choice({ of: INCIDENT_STATUSES, description: 'That of the last update.', example: 'investigating' })
  status!: IncidentStatus;

  @Choice({
    of: IMPACTS,
    description: 'How bad it is: as set, or else by the worst status that an update has given a monitor.',
    example: 'major',
  })
  impact!: Impact;

  @AffectedMonitors({
    description: 'What is affected now, and how badly. Empty while the incident is resolved.',
  })
  monitors!: AffectedMonitorDto[];

  @PastTime({
    description:
      'When it started: UTC (`Z`), from the year 2000 to five minutes ahead, and not after an update other than the first one.',
    // No example: a fixed time can be after an update.
  })
  started_at!: Date;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: 24,
    nullable: true,
    description: 'When it was resolved; null while it is open.',
    example: null,
  })
  resolved_at!: Date | null;

  @UuidList({
    max: MAX_STATUS_PAGES,
    nullable: true,
    description:
      'The pages of the project that show the incident; null: every page that shows an affected monitor.',
    example: null,
  })
  status_page_ids!: string[] | null;

  @Text({
    min: 1,
    max: 50_000,
    nullable: true,
    description: 'What was learned, in Markdown, kept as sent; null: nothing yet.',
    example: null,
  })
  postmortem!: string | null;

  @ProjectId('Project that owns the incident.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
