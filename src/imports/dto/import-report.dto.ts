import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { ResponseId } from '../../openapi/response-fields.js';
import { SLUG } from '../../status-pages/slug.js';
import { MAX_MONITORS, MAX_SECTIONS } from '../../status-pages/dto/section.dto.js';

/** The result of an import, or the expected result in a dry run. */
@ApiSchema({ name: 'ImportReport' })
export class ImportReportDto {
  @ApiProperty({ description: 'True for a dry run, which creates nothing.', example: false })
  dry_run!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    format: 'uuid',
    maxLength: 36,
    description: 'The new page; null in a dry run.',
    example: EXAMPLE_IDS.status_page,
  })
  status_page_id!: string | null;

  @ResponseId('Project that owns the page.', EXAMPLE_IDS.project)
  project_id!: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 200,
    description: 'Display name of the page.',
    example: 'Acme Cloud',
  })
  name!: string;

  @ApiProperty({
    pattern: SLUG.source,
    minLength: 1,
    maxLength: 63,
    description: 'Slug of the new page; in a dry run, the slug that it would get now.',
    example: 'acme-cloud',
  })
  slug!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    format: 'hostname',
    maxLength: 253,
    description: 'Custom host name of the page; null: the file has none.',
    example: null,
  })
  custom_domain!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_SECTIONS,
    description: 'Number of new sections.',
    example: 3,
  })
  sections!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_MONITORS,
    description: 'Number of new monitors.',
    example: 15,
  })
  monitors!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 401 },
    maxItems: 1_010,
    description: 'Contents of the file that this service has no field for.',
    example: ['components.status'],
  })
  not_imported!: string[];
}
