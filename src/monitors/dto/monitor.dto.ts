import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CreatedAt, ShownId, UpdatedAt } from '../../http/shown.js';

/** A monitor as it goes out. */
@ApiSchema({ name: 'Monitor' })
export class MonitorDto {
  @ShownId('Identifier of the monitor.', '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10')
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

  @ShownId('Project that owns the monitor.', '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
