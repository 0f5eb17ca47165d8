import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CreatedAt, ShownId, UpdatedAt } from '../../http/shown.js';

/** A project as it goes out. */
@ApiSchema({ name: 'Project' })
export class ProjectDto {
  @ShownId('Identifier of the project.', '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01')
  id!: string;

  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Display name.', example: 'Acme' })
  name!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
