import { ApiSchema } from '@nestjs/swagger';
import { type AffectedMonitorDto, AffectedMonitors } from '../../dto/affected-monitor.dto.js';
import { INCIDENT_STATUSES, type IncidentStatus } from '../../incident-status.js';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../../platform/openapi/response-fields.js';
import { Choice, Text } from '../../../platform/validation/fields.js';
import { ProjectId } from '../../../projects/dto/project-id.js';

/** An incident template in a response. */
@ApiSchema({ name: 'IncidentTemplate' })
export class IncidentTemplateDto {
  @ResponseId('ID of the incident template.', EXAMPLE_IDS.incident_template)
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Name of the template in lists. Not shown on status pages. Does not have to be unique.',
    example: 'API outage',
  })
  name!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Title of the incident.',
    example: 'The API is unavailable',
  })
  title!: string;

  @Text({
    min: 1,
    max: 10_000,
    nullable: true,
    description:
      'Text of the first update in Markdown, stored as sent; null: a sentence about the status, such as "We are investigating this incident."',
    example: 'Requests to the API fail. We are investigating.',
  })
  body!: string | null;

  @Choice({
    of: INCIDENT_STATUSES,
    description: 'Status set by the first update.',
    example: 'investigating',
  })
  status!: IncidentStatus;

  @AffectedMonitors({ description: 'Affected monitors and their statuses.' })
  monitors!: AffectedMonitorDto[];

  @ProjectId('Project that owns the incident template.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
