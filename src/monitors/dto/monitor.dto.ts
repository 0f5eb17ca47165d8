import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../openapi/response-fields.js';

/** A monitor as it goes out. */
@ApiSchema({ name: 'Monitor' })
export class MonitorDto {
  @ResponseId('Identifier of the monitor.', EXAMPLE_IDS.monitor)
  id!: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 200,
    description: 'Display name; several monitors may share one.',
    example: 'API',
  })
  name!: string;

  @ApiProperty({ maxLength: 2_000, description: 'Text describing the monitor.', example: 'The public API.' })
  description!: string;

  @ResponseId('Project that owns the monitor.', EXAMPLE_IDS.project)
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
