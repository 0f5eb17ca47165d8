import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../http/example-ids.js';
import { Text, Uuid } from '../../http/fields.js';

/** What `POST /v1/monitors` takes. */
@ApiSchema({ name: 'MonitorCreate' })
export class CreateMonitorDto {
  @Uuid({
    description: 'Project that is to own the monitor.',
    example: EXAMPLE_IDS.project,
  })
  project_id!: string;

  @Text({ min: 1, max: 200, description: 'Display name.', example: 'API' })
  name!: string;

  @Text({
    optional: true,
    min: 0,
    max: 2_000,
    description: 'Text describing the monitor.',
    example: 'The public API.',
  })
  description?: string;
}
