import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Flag, ListOf, Pattern, Text } from '../../validation/fields.js';
import { checkSectionsTogether, MAX_MONITORS, MAX_SECTIONS, SectionDto } from './section.dto.js';

/** The fields of a status page that its creation and its PATCH both take. */

export const Name = ({ optional = false } = {}) =>
  Text({ optional, min: 1, max: 200, description: 'Display name.', example: 'Acme Cloud' });

export const IsPublic = () =>
  Flag({ optional: true, description: 'Whether the page is publicly accessible.', example: true });

export const AccentColor = () =>
  Pattern({
    optional: true,
    pattern: /^#[0-9a-fA-F]{6}$/,
    max: 7,
    form: 'a hex color of the form #rrggbb',
    description: 'Hex color, form `#rrggbb`.',
    example: '#2563eb',
  });

export const Sections = () =>
  ListOf(SectionDto, {
    optional: true,
    max: MAX_SECTIONS,
    together: checkSectionsTogether,
    description: `Groups of monitors, in this order, with ${MAX_MONITORS} monitors in all at the most. Replaces all sections of the page.`,
    example: [{ id: 'core', title: 'Core services', monitor_ids: [EXAMPLE_IDS.monitor] }],
  });
