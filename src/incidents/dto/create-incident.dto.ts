import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { NotifyOfNew } from '../../events/dto/notify.js';
import { Choice, Text, Uuid } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { INCIDENT_STATUSES, type IncidentStatus } from '../incident-status.js';
import { type AffectedMonitorDto, AffectedMonitors } from './affected-monitor.dto.js';
import { IncidentDto } from './incident.dto.js';
import { MAX_BODY } from './incident-update.dto.js';
import { UpdateIncidentDto } from './update-incident.dto.js';

/** Request body of `POST /v1/incidents`. `status`, `body` and `monitors` belong to the first update. */
@Refuses({
  id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  resolved_at: 'is set by the status "resolved"',
})
@ApiSchema({ name: 'IncidentCreate' })
export class CreateIncidentDto extends IntersectionType(
  PickType(IncidentDto, ['project_id']),
  OmitType(UpdateIncidentDto, ['title', 'notify']),
) {
  @Text({
    min: 1,
    max: 200,
    requiredUnless: 'template_id',
    description: 'Title of the incident. Required without `template_id`.',
    example: 'Errors on the API',
  })
  title?: string;

  @Text({
    min: 1,
    max: MAX_BODY,
    optional: true,
    description:
      'Text of the first update in Markdown, stored as sent. Default: a sentence about the status, such as "We are investigating this incident."',
    example: 'A node has failed. We are replacing it.',
  })
  body?: string;

  @Choice({
    of: INCIDENT_STATUSES,
    optional: true,
    description: 'Status of the first update. Default: `investigating`.',
    example: 'investigating',
  })
  status?: IncidentStatus;

  @AffectedMonitors({
    optional: true,
    description: 'Affected monitors and their statuses from the start of the incident on.',
  })
  monitors?: AffectedMonitorDto[];

  @Uuid({
    optional: true,
    description:
      'Incident template of the project. It provides each of the fields `title`, `body`, `status` and `monitors` that the request omits.',
    // No example, because the other fields of the example replace all values of the template.
  })
  template_id?: string;

  @NotifyOfNew()
  notify?: boolean;
}
