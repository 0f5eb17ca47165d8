import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { NotifyOfChange } from '../../events/dto/notify.js';
import { Choice, Text } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { INCIDENT_STATUSES, type IncidentStatus } from '../incident-status.js';
import { IncidentUpdateDto, MAX_BODY } from './incident-update.dto.js';

/** Request body of `POST /v1/incidents/{id}/updates`. */
@Refuses({ id: READ_ONLY, incident_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'IncidentUpdateCreate' })
export class CreateIncidentUpdateDto extends PartialType(
  PickType(IncidentUpdateDto, ['monitors', 'posted_at']),
) {
  @Choice({
    of: INCIDENT_STATUSES,
    optional: true,
    description: 'Status of the incident from this update on; default: unchanged.',
    example: 'identified',
  })
  status?: IncidentStatus;

  @Text({
    min: 1,
    max: MAX_BODY,
    optional: true,
    description:
      'Text of the update in Markdown, stored as sent. Can be omitted if the status changes; default: a sentence about the status, such as "The cause has been identified."',
    example: 'A node has failed. We are replacing it.',
  })
  body?: string;

  @NotifyOfChange()
  notify?: boolean;
}
