import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../http/fields.js';

/** What `POST /v1/projects` takes. */
@ApiSchema({ name: 'ProjectCreate' })
export class CreateProjectDto {
  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Acme' })
  name!: string;
}
