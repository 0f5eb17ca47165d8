import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../../platform/validation/refused-fields.js';
import { IncidentDraftDto } from './incident-draft.dto.js';

/** Request body of `PATCH /v1/incident-drafts/{id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  monitor_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'IncidentDraftUpdate' })
export class UpdateIncidentDraftDto extends PartialType(
  PickType(IncidentDraftDto, ['title', 'body', 'status', 'monitors']),
) {}
