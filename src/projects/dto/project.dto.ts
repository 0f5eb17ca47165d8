import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** A project as it goes out. */
@ApiSchema({ name: 'Project' })
export class ProjectDto {
  @ApiProperty({
    format: 'uuid',
    maxLength: 36,
    description: 'Identifier of the project.',
    example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
  })
  id!: string;

  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Display name.', example: 'Acme' })
  name!: string;

  @ApiProperty({
    format: 'date-time',
    maxLength: 24,
    description: 'UTC, to the millisecond.',
    example: '2026-11-20T12:00:00.000Z',
  })
  created_at!: Date;

  @ApiProperty({
    format: 'date-time',
    maxLength: 24,
    description: 'UTC, to the millisecond. Grows with every change.',
    example: '2026-11-20T12:00:00.000Z',
  })
  updated_at!: Date;
}
