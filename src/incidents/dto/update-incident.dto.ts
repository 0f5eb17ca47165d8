import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { NotifyOfChange } from '../../events/dto/notify.js';
import { Choice } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { type Impact, IMPACTS } from '../incident-status.js';
import { IncidentDto } from './incident.dto.js';

const CHANGED_BY_UPDATES = 'can only be changed with POST /v1/incidents/{id}/updates';

/** Request body of `PATCH /v1/incidents/{id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  status: CHANGED_BY_UPDATES,
  monitors: CHANGED_BY_UPDATES,
  body: CHANGED_BY_UPDATES,
  resolved_at: CHANGED_BY_UPDATES,
})
@ApiSchema({ name: 'IncidentPatch' })
export class UpdateIncidentDto extends PartialType(
  PickType(IncidentDto, ['title', 'started_at', 'status_page_ids', 'postmortem']),
) {
  @Choice({
    of: IMPACTS,
    optional: true,
    nullable: true,
    description: 'Impact of the incident; null: derived from the worst monitor status in any update.',
    example: 'major',
  })
  impact?: Impact | null;

  @NotifyOfChange()
  notify?: boolean;
}
