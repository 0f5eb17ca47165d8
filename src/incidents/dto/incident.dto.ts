import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Text, UuidList } from '../../platform/validation/fields.js';
import { type Impact, IMPACTS, INCIDENT_STATUSES, type IncidentStatus } from '../incident-status.js';
import { type AffectedMonitorDto, AffectedMonitors } from './affected-monitor.dto.js';
import { PastTime } from '../../platform/validation/past-time.js';

/** Maximum number of status pages that an incident references. */
export const MAX_STATUS_PAGES = 100;

/** An incident in a response. */
@ApiSchema({ name: 'Incident' })
export class IncidentDto {
  @ResponseId('ID of the incident.', EXAMPLE_IDS.incident)
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Title of the incident. Must contain a non-whitespace character.',
    example: 'Errors on the API',
  })
  title!: string;

  @Choice({
    of: INCIDENT_STATUSES,
    description: 'Status set by the latest update.',
    example: 'investigating',
  })
  status!: IncidentStatus;

  @Choice({
    of: IMPACTS,
    description:
      'Impact of the incident. If not set explicitly, derived from the worst monitor status in any update.',
    example: 'major',
  })
  impact!: Impact;

  @AffectedMonitors({
    description: 'Currently affected monitors and their statuses. Empty while the incident is resolved.',
  })
  monitors!: AffectedMonitorDto[];

  @PastTime({
    description:
      'Start of the incident: from the year 2000 to five minutes in the future. It must not be later than the `posted_at` of any update. The first update is exempt from this rule.',
    // No example, because a fixed time can be after an update.
  })
  started_at!: Date;

  @NullableTime('Resolution time; null while the incident is open.')
  resolved_at!: Date | null;

  @UuidList({
    max: MAX_STATUS_PAGES,
    nullable: true,
    description:
      'Status pages of the project that show the incident; null: every status page that contains a monitor that the incident affects or has affected, or every status page of the project if the incident has never affected a monitor.',
    example: null,
  })
  status_page_ids!: string[] | null;

  @Text({
    min: 1,
    max: 50_000,
    nullable: true,
    description: 'Postmortem in Markdown, stored as sent; null: none.',
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
