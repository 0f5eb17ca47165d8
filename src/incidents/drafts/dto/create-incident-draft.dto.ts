import { ApiSchema, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../../platform/validation/refused-fields.js';
import { CreateIncidentDto } from '../../dto/create-incident.dto.js';
import { IncidentDraftDto } from './incident-draft.dto.js';
import { UpdateIncidentDraftDto } from './update-incident-draft.dto.js';

/** Request body of `POST /v1/incident-drafts`. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'IncidentDraftCreate' })
export class CreateIncidentDraftDto extends IntersectionType(
  PickType(IncidentDraftDto, ['project_id']),
  PickType(CreateIncidentDto, ['title', 'template_id']),
  PartialType(PickType(IncidentDraftDto, ['monitor_id'])),
  OmitType(UpdateIncidentDraftDto, ['title']),
) {}
