import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import {
  type FieldOptions,
  type InputError,
  ListOf,
  Pattern,
  Text,
  UuidList,
} from '../../platform/validation/fields.js';

/** Maximum number of sections of a page. */
export const MAX_SECTIONS = 200;

/** Maximum number of monitors in a section. */
export const MAX_MONITORS_IN_SECTION = 500;

/** Maximum number of monitors in all sections of a page. A monitor in two sections counts twice. */
export const MAX_MONITORS = 1_000;

export const SECTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A group of monitors on a page (spec, section 2, "Section object"). */
@ApiSchema({ name: 'Section' })
export class SectionDto {
  @Pattern({
    pattern: SECTION_ID,
    max: 64,
    form: '1 to 64 letters, digits, "_" or "-"',
    description: 'ID of the section, unique within the status page.',
    example: 'core',
  })
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Title of the section. Must contain a non-whitespace character. Does not have to be unique.',
    example: 'Core services',
  })
  title!: string;

  @UuidList({
    max: MAX_MONITORS_IN_SECTION,
    description:
      'Monitors of the section, in display order. They must belong to the project of the status page.',
    example: [EXAMPLE_IDS.monitor],
  })
  monitor_ids!: string[];
}

export const Sections = (options: FieldOptions) =>
  ListOf(SectionDto, { max: MAX_SECTIONS, crossCheck: checkSections, ...options });

/** Checks the rules across sections: unique IDs, and the total number of monitors. */
function checkSections(sections: ReadonlyMap<number, SectionDto>): InputError[] {
  const errors: InputError[] = [];
  const seen = new Set<string>();
  let monitors = 0;
  for (const [index, { id, monitor_ids }] of sections) {
    if (typeof id === 'string' && seen.has(id)) {
      errors.push({
        path: [index, 'id'],
        code: 'duplicate',
        detail: 'must be unique within the status page',
      });
    }
    seen.add(id);
    monitors += Array.isArray(monitor_ids) ? monitor_ids.length : 0;
  }
  if (monitors > MAX_MONITORS) {
    const detail = `must contain at most ${MAX_MONITORS} monitors in all sections together`;
    errors.push({ path: [], code: 'too_long', detail });
  }
  return errors;
}
