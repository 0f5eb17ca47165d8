import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../../platform/openapi/response-fields.js';
import { Uuid } from '../../../platform/validation/fields.js';
import { ProjectId } from '../../../projects/dto/project-id.js';
import { IncidentTemplateDto } from '../../templates/dto/incident-template.dto.js';

class DraftId {
  @ResponseId('ID of the incident draft.', EXAMPLE_IDS.incident_draft)
  id!: string;
}

class DraftOwner {
  @Uuid({
    nullable: true,
    description:
      'Monitor that the draft is about. The draft is discarded when the monitor is operational again. A monitor has at most one draft. Null: only a request discards it.',
    examples: [EXAMPLE_IDS.monitor],
  })
  monitor_id!: string | null;

  @ProjectId('Project that owns the incident draft.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}

/** An incident draft in a response. */
@ApiSchema({ name: 'IncidentDraft' })
export class IncidentDraftDto extends IntersectionType(
  DraftId,
  PickType(IncidentTemplateDto, ['title', 'body', 'status', 'monitors']),
  DraftOwner,
) {}
