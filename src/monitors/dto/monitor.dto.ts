import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** A monitor as it goes out. */
@ApiSchema({ name: 'Monitor' })
export class MonitorDto {
  @ApiProperty({
    format: 'uuid',
    maxLength: 36,
    description: 'Identifier of the monitor.',
    example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10',
  })
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

  @ApiProperty({
    format: 'uuid',
    maxLength: 36,
    description: 'Project that owns the monitor.',
    example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
  })
  project_id!: string;

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
