import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Flag, Integer, Pattern, Text } from '../../platform/validation/fields.js';
import { RESERVED_SLUGS } from '../slug.js';
import { CustomDomain } from './custom-domain.js';
import { MAX_MONITORS, type SectionDto, Sections } from './section.dto.js';
import { PageSlug } from './slug-field.js';

/** A status page in a response, with its 16 fields in the order of the spec (section 2). */
@ApiSchema({ name: 'StatusPage' })
export class StatusPageDto {
  @ResponseId('ID of the status page.', EXAMPLE_IDS.status_page)
  id!: string;

  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Acme Cloud' })
  name!: string;

  // `examples`, because "Try it out" would send an `example`, and the second request would fail with a conflict.
  @PageSlug({
    description: `Short name of the status page, unique in the instance. Reserved words are not allowed: ${[...RESERVED_SLUGS].join(', ')}.`,
    examples: ['acme-cloud'],
  })
  slug!: string;

  @Flag({ description: 'Whether the status page is publicly accessible.', example: true })
  is_public!: boolean;

  @Text({
    min: 0,
    max: 2_000,
    description: 'Description of the status page.',
    example: 'Current status of Acme Cloud.',
  })
  description!: string;

  @Pattern({
    pattern: /^#[0-9a-fA-F]{6}$/,
    max: 7,
    form: 'a hex color of the form #rrggbb',
    description: 'Hex color of the form `#rrggbb`.',
    example: '#2563eb',
  })
  accent_color!: string;

  @Flag({ description: 'Whether the public page shows a "Powered by" line.', example: true })
  show_powered_by!: boolean;

  @Flag({ description: 'Whether the public page shows the history.', example: true })
  show_history!: boolean;

  @Integer({ min: 1, max: 365, description: 'Number of days of history.', example: 90 })
  history_days!: number;

  @Flag({
    description: 'Whether the public page provides feeds (RSS, Atom, JSON) and a calendar.',
    example: true,
  })
  rss_enabled!: boolean;

  @Flag({ description: 'Whether visitors can subscribe on the public page.', example: false })
  subscribe_enabled!: boolean;

  @CustomDomain({
    description:
      'Custom domain of the status page, unique in the organization; null: none. It serves the status page as soon as DNS proves that its owner permits it. A domain that a status page of another organization has verified is taken.',
    examples: ['status.acme.example'],
  })
  custom_domain!: string | null;

  @Sections({
    description: `Groups of monitors, in display order, with at most ${MAX_MONITORS} monitors in total. A PATCH with this field replaces all sections.`,
    example: [{ id: 'core', title: 'Core services', monitor_ids: [EXAMPLE_IDS.monitor] }],
  })
  sections!: SectionDto[];

  @ProjectId('Project that owns the status page.')
  project_id!: string;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
