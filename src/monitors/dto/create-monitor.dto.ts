import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Text, Uuid } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';

/** What `POST /v1/monitors` takes. */
@Refuses({ id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
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
