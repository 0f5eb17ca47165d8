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

/** The maximum number of sections of a page. */
export const MAX_SECTIONS = 200;

/** The maximum number of monitors in a section. */
export const MAX_MONITORS_IN_SECTION = 500;

/** The maximum number of monitors in all sections of a page. A monitor in two sections counts twice. */
export const MAX_MONITORS = 1_000;

/** The format of a section id. */
export const SECTION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A group of monitors on a page (spec, section 2, "Section object"). */
@ApiSchema({ name: 'Section' })
export class SectionDto {
  @Pattern({
    pattern: SECTION_ID,
    max: 64,
    form: '1 to 64 letters, digits, "_" or "-"',
    description: 'Identifier of the section, unique within the page.',
    example: 'core',
  })
  id!: string;

  @Text({
    min: 1,
    max: 200,
    description: 'Section title, not only white space. It need not be unique.',
    example: 'Core services',
  })
  title!: string;

  @UuidList({
    max: MAX_MONITORS_IN_SECTION,
    description: 'Monitors of the section, in display order. They must belong to the project of the page.',
    example: [EXAMPLE_IDS.monitor],
  })
  monitor_ids!: string[];
}

/** The sections of a page. */
export const Sections = (options: FieldOptions) =>
  ListOf(SectionDto, { max: MAX_SECTIONS, crossCheck: checkSections, ...options });

/** Checks the rules across sections: unique ids, and the total number of monitors. */
function checkSections(sections: ReadonlyMap<number, SectionDto>): InputError[] {
  const errors: InputError[] = [];
  const seen = new Set<string>();
  let monitors = 0;
  for (const [index, { id, monitor_ids }] of sections) {
    if (typeof id === 'string' && seen.has(id)) {
      errors.push({ path: [index, 'id'], code: 'duplicate', detail: 'must be unique in the page' });
    }
    seen.add(id);
    monitors += Array.isArray(monitor_ids) ? monitor_ids.length : 0;
  }
  if (monitors > MAX_MONITORS) {
    const detail = `must have at most ${MAX_MONITORS} monitors over all sections`;
    errors.push({ path: [], code: 'too_long', detail });
  }
  return errors;
}
