import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';

/** What `POST /v1/projects` takes. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'ProjectCreate' })
export class CreateProjectDto {
  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Acme' })
  name!: string;
}
