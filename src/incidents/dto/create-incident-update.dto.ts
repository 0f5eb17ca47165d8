import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { IncidentUpdateDto } from './incident-update.dto.js';

/** Request body of `POST /v1/incidents/{id}/updates`. */
@Refuses({ id: READ_ONLY, incident_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'IncidentUpdateCreate' })
export class CreateIncidentUpdateDto extends IntersectionType(
  PickType(IncidentUpdateDto, ['status', 'body']),
  PartialType(PickType(IncidentUpdateDto, ['monitors', 'posted_at'])),
) {}
