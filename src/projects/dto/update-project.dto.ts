import { ApiSchema, PartialType } from '@nestjs/swagger';
import { CreateProjectDto } from './create-project.dto.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';

/** Request body of `PATCH /v1/projects/{id}`. Omitted fields keep their values. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'ProjectUpdate' })
export class UpdateProjectDto extends PartialType(CreateProjectDto) {}
