import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../../platform/validation/refused-fields.js';
import { IncidentTemplateDto } from './incident-template.dto.js';
import { UpdateIncidentTemplateDto } from './update-incident-template.dto.js';

/** Request body of `POST /v1/incident-templates`. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'IncidentTemplateCreate' })
export class CreateIncidentTemplateDto extends IntersectionType(
  PickType(IncidentTemplateDto, ['project_id', 'name', 'title']),
  OmitType(UpdateIncidentTemplateDto, ['name', 'title']),
) {}
