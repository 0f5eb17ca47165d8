import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { NullableId, ResponseId } from '../../platform/openapi/response-fields.js';
import { SLUG_SCHEMA } from '../../platform/validation/slug.js';
import { MAX_EVENTS } from '../imported-page.js';
import { MAX_MONITORS, MAX_SECTIONS } from '../../status-pages/dto/section.dto.js';

/** Documents a number of new resources. */
const Count = (description: string, maximum: number, example: number) =>
  ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum, description, example });

/** Import summary of an import, or of a dry run. */
@ApiSchema({ name: 'ImportReport' })
export class ImportReportDto {
  @ApiProperty({
    description: 'Whether this is the summary of a dry run, which creates nothing.',
    example: false,
  })
  dry_run!: boolean;

  @NullableId('ID of the new status page; null in a dry run.', EXAMPLE_IDS.status_page)
  status_page_id!: string | null;

  @ResponseId('Project that owns the status page.', EXAMPLE_IDS.project)
  project_id!: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 200,
    description: 'Display name of the status page.',
    example: 'Acme Cloud',
  })
  name!: string;

  @ApiProperty({
    ...SLUG_SCHEMA,
    description: 'Slug of the new status page; in a dry run, the slug that it would currently get.',
    example: 'acme-cloud',
  })
  slug!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    format: 'hostname',
    maxLength: 253,
    description: 'Custom domain of the status page; null: the file contains no domain.',
    example: null,
  })
  custom_domain!: string | null;

  @Count('Number of new sections.', MAX_SECTIONS, 3)
  sections!: number;

  @Count('Number of new monitors.', MAX_MONITORS, 15)
  monitors!: number;

  @Count(
    'Number of new monitors with a key. Keys are derived from the file, with a number if the key is already used.',
    MAX_MONITORS,
    15,
  )
  monitor_keys!: number;

  @Count('Number of new reports: one for each monitor whose status the file contains.', MAX_MONITORS, 15)
  reports!: number;

  @Count('Number of new incidents.', MAX_EVENTS, 3)
  incidents!: number;

  @Count('Number of new maintenance windows.', MAX_EVENTS, 1)
  maintenances!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 401 },
    maxItems: 1_030,
    description:
      'Parts of the file that were not imported because they have no equivalent, exceed a limit, or require a scope that the key lacks.',
    example: ['components.showcase'],
  })
  not_imported!: string[];
}
