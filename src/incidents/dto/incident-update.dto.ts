import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, Text } from '../../platform/validation/fields.js';
import { INCIDENT_STATUSES, type IncidentStatus } from '../incident-status.js';
import { type AffectedMonitorDto, AffectedMonitors } from './affected-monitor.dto.js';
import { PastTime } from '../../platform/validation/past-time.js';

/** Maximum length of a text, in code points. */
export const MAX_BODY = 10_000;

/** An update of an incident in a response. */
@ApiSchema({ name: 'IncidentUpdate' })
export class IncidentUpdateDto {
  @ResponseId('ID of the update.', EXAMPLE_IDS.incident_update)
  id!: string;

  @Choice({
    of: INCIDENT_STATUSES,
    description: 'Status of the incident from this update on.',
    example: 'identified',
  })
  status!: IncidentStatus;

  @Text({
    min: 1,
    max: MAX_BODY,
    description: 'Text of the update in Markdown, stored as sent.',
    example: 'A node has failed. We are replacing it.',
  })
  body!: string;

  @AffectedMonitors({
    nullable: true,
    description: 'Affected monitors from this update on; null: unchanged.',
  })
  monitors!: AffectedMonitorDto[] | null;

  @PastTime({
    description:
      'Time at which the update takes effect: not before the start of the incident, at most five minutes in the future. The first update takes effect when the incident starts.',
    // No example, because a fixed time can be before the start of the incident.
  })
  posted_at!: Date;

  @ResponseId('Incident that contains the update.', EXAMPLE_IDS.incident)
  incident_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
