import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../openapi/response-fields.js';
import { SLUG } from '../slug.js';
import { MAX_SECTIONS, SectionDto } from './section.dto.js';

/** A status page as it goes out: these sixteen fields, in this order (spec, section 2). */
@ApiSchema({ name: 'StatusPage' })
export class StatusPageDto {
  @ResponseId('Identifier of the status page.', EXAMPLE_IDS.status_page)
  id!: string;

  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Display name.', example: 'Acme Cloud' })
  name!: string;

  @ApiProperty({
    pattern: SLUG.source,
    minLength: 1,
    maxLength: 63,
    description: 'Short name of the page, unique in the installation.',
    example: 'acme-cloud',
  })
  slug!: string;

  @ApiProperty({ description: 'Whether the page is publicly accessible.', example: true })
  is_public!: boolean;

  @ApiProperty({
    maxLength: 2000,
    description: 'Text describing the page.',
    example: 'The state of Acme Cloud.',
  })
  description!: string;

  @ApiProperty({
    pattern: '^#[0-9a-fA-F]{6}$',
    maxLength: 7,
    description: 'Hex color, form `#rrggbb`.',
    example: '#2563eb',
  })
  accent_color!: string;

  @ApiProperty({ description: 'Whether the page says what powers it.', example: true })
  show_powered_by!: boolean;

  @ApiProperty({ description: 'Whether the page shows the history.', example: true })
  show_history!: boolean;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 365,
    description: 'Number of days of history.',
    example: 90,
  })
  history_days!: number;

  @ApiProperty({ description: 'Whether the page has an RSS feed.', example: true })
  rss_enabled!: boolean;

  @ApiProperty({ description: 'Whether visitors can subscribe.', example: false })
  subscribe_enabled!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    format: 'hostname',
    maxLength: 253,
    description: 'Custom host name of the page, unique in the installation; null when there is none.',
    example: 'status.acme.example',
  })
  custom_domain!: string | null;

  @ApiProperty({
    type: () => SectionDto,
    isArray: true,
    maxItems: MAX_SECTIONS,
    description: 'Groups of monitors, in their order.',
  })
  sections!: SectionDto[];

  @ResponseId('Project that owns the page.', EXAMPLE_IDS.project)
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
