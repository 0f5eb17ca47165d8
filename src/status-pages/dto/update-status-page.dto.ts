import { ApiSchema } from '@nestjs/swagger';
import { Flag, ListOf, Pattern, Text } from '../../http/fields.js';
import { checkSectionsTogether, MAX_MONITORS, MAX_SECTIONS, SectionDto } from './section.dto.js';

/** What `PATCH /v1/status-pages/{id}` takes (spec, section 4.2): only what is sent changes. */
@ApiSchema({ name: 'StatusPageUpdate' })
export class UpdateStatusPageDto {
  @Text({ optional: true, min: 1, max: 200, description: 'Display name.', example: 'Acme Cloud' })
  name?: string;

  @Flag({ optional: true, description: 'Whether the page is publicly accessible.', example: true })
  is_public?: boolean;

  @Pattern({
    optional: true,
    pattern: /^#[0-9a-fA-F]{6}$/,
    max: 7,
    form: 'a hex color of the form #rrggbb',
    description: 'Hex color, form `#rrggbb`.',
    example: '#2563eb',
  })
  accent_color?: string;

  @ListOf(SectionDto, {
    optional: true,
    max: MAX_SECTIONS,
    together: checkSectionsTogether,
    description: `Groups of monitors, in this order, with ${MAX_MONITORS} monitors in all at the most. Replaces all sections of the page.`,
  })
  sections?: SectionDto[];
}
