import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';

/** What `PATCH /v1/monitors/{id}` takes: only what is sent changes. */
@Refuses({ id: READ_ONLY, project_id: READ_ONLY, created_at: READ_ONLY, updated_at: READ_ONLY })
@ApiSchema({ name: 'MonitorUpdate' })
export class UpdateMonitorDto {
  @Text({ optional: true, min: 1, max: 200, description: 'Display name.', example: 'API' })
  name?: string;

  @Text({
    optional: true,
    min: 0,
    max: 2_000,
    description: 'Text describing the monitor.',
    example: 'The public API.',
  })
  description?: string;
}
