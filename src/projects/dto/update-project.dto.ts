import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';

/** What `PATCH /v1/projects/{id}` takes: only what is sent changes. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'ProjectUpdate' })
export class UpdateProjectDto {
  @Text({ optional: true, min: 1, max: 200, description: 'Display name.', example: 'Sandbox' })
  name?: string;
}
