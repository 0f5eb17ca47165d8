import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Text } from '../../platform/validation/fields.js';

/** A project in a response. */
@ApiSchema({ name: 'Project' })
export class ProjectDto {
  @ResponseId('ID of the project.', EXAMPLE_IDS.empty_project)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Sandbox' })
  name!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
