import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { type FieldOptions, type Issue, ListOf, Pattern, Text, UuidList } from '../../validation/fields.js';

/** Sections of one page, at the most. */
export const MAX_SECTIONS = 200;

/** Monitors of one section, at the most. */
export const MAX_MONITORS_IN_SECTION = 500;

/** Monitors of one page over all sections, at the most; one that is shown twice counts twice. */
export const MAX_MONITORS = 1_000;

/** The form of a section's id. */
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
    description: 'Section title, not only white space. Two sections of a page may have the same.',
    example: 'Core services',
  })
  title!: string;

  @UuidList({
    max: MAX_MONITORS_IN_SECTION,
    description: "Monitors shown in the section, in this order. Each is one of the page's own project.",
    example: [EXAMPLE_IDS.monitor],
  })
  monitor_ids!: string[];
}

/** The sections of a page. */
export const Sections = (options: FieldOptions) =>
  ListOf(SectionDto, { max: MAX_SECTIONS, together: checkSectionsTogether, ...options });

/** What must hold across the sections of a page: ids are unique, and there are not too many monitors in all. */
function checkSectionsTogether(sections: ReadonlyMap<number, SectionDto>): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  let monitors = 0;
  for (const [index, { id, monitor_ids }] of sections) {
    if (typeof id === 'string' && seen.has(id)) {
      issues.push({ path: [index, 'id'], code: 'duplicate', detail: 'must be unique in the page' });
    }
    seen.add(id);
    monitors += Array.isArray(monitor_ids) ? monitor_ids.length : 0;
  }
  if (monitors > MAX_MONITORS) {
    const detail = `must have at most ${MAX_MONITORS} monitors over all sections`;
    issues.push({ path: [], code: 'too_long', detail });
  }
  return issues;
}
