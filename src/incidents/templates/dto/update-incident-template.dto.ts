import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../../platform/validation/refused-fields.js';
import { IncidentTemplateDto } from './incident-template.dto.js';

/** Request body of `PATCH /v1/incident-templates/{id}`. Omitted fields keep their values. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'IncidentTemplateUpdate' })
export class UpdateIncidentTemplateDto extends PartialType(
  PickType(IncidentTemplateDto, ['name', 'title', 'body', 'status', 'monitors']),
) {}
