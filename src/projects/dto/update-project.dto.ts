import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../http/fields.js';

/** What `PATCH /v1/projects/{id}` takes: only what is sent changes. */
@ApiSchema({ name: 'ProjectUpdate' })
export class UpdateProjectDto {
  @Text({ optional: true, min: 1, max: 200, description: 'Display name.', example: 'Sandbox' })
  name?: string;
}
