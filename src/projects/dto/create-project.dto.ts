import { ApiSchema, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { ProjectDto } from './project.dto.js';

/** Request body of `POST /v1/projects`. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'ProjectCreate' })
export class CreateProjectDto extends PickType(ProjectDto, ['name']) {}
