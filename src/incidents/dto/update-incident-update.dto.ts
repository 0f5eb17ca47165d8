import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { IncidentUpdateDto } from './incident-update.dto.js';

const FIXED = 'cannot be changed; post another update, or delete this one';

/** Request body of `PATCH /v1/incidents/{id}/updates/{update_id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  incident_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  status: FIXED,
  monitors: FIXED,
})
@ApiSchema({ name: 'IncidentUpdatePatch' })
export class UpdateIncidentUpdateDto extends PartialType(
  PickType(IncidentUpdateDto, ['body', 'posted_at']),
) {}
