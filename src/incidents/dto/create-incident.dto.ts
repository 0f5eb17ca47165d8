import { ApiSchema, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Text, Uuid } from '../../platform/validation/fields.js';
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
  PickType(IncidentDto, ['project_id']),
  PickType(CreateIncidentUpdateDto, ['body']),
  PartialType(PickType(IncidentDto, ['status', 'monitors'])),
  OmitType(UpdateIncidentDto, ['title']),
) {
  @Text({
    min: 1,
    max: 200,
    requiredUnless: 'template_id',
    description: 'Title of the incident. Required without `template_id`.',
    example: 'Errors on the API',
  })
  title?: string;

  @Uuid({
    optional: true,
    description:
      'Incident template of the project. It provides `title`, `body`, `status` and `monitors` if they are omitted.',
    // No example, because the other fields of the example replace all values of the template.
  })
  template_id?: string;
}
