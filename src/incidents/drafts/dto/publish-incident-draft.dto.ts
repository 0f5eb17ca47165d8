import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../../platform/validation/refused-fields.js';
import { CreateIncidentDto } from '../../dto/create-incident.dto.js';
import { UpdateIncidentDto } from '../../dto/update-incident.dto.js';

/** Request body of `POST /v1/incident-drafts/{id}/publish`. The draft provides omitted fields. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, template_id: 'belongs to POST /v1/incident-drafts' })
@ApiSchema({ name: 'IncidentDraftPublish' })
export class PublishIncidentDraftDto extends IntersectionType(
  PickType(UpdateIncidentDto, ['title']),
  OmitType(CreateIncidentDto, ['project_id', 'template_id', 'title']),
) {}
