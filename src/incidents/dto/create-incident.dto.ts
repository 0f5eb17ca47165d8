import { ApiSchema, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { CreateIncidentUpdateDto } from './create-incident-update.dto.js';
import { IncidentDto } from './incident.dto.js';
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
  PickType(IncidentDto, ['project_id', 'title']),
  PickType(CreateIncidentUpdateDto, ['body']),
  PartialType(PickType(IncidentDto, ['status', 'monitors'])),
  OmitType(UpdateIncidentDto, ['title']),
) {}
