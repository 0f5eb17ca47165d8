import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../http/example-ids.js';
import { CreatedAt, ShownId, UpdatedAt } from '../../http/shown.js';

/** A monitor as it goes out. */
@ApiSchema({ name: 'Monitor' })
export class MonitorDto {
  @ShownId('Identifier of the monitor.', EXAMPLE_IDS.monitor)
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

  @ShownId('Project that owns the monitor.', EXAMPLE_IDS.project)
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
