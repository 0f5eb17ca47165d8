import type { Section } from '../status-page.entity.js';

/** Returns the monitors of sections, without duplicates. */
export function monitorIdsOf(sections: Section[]): string[] {
  return [...new Set(sections.flatMap(({ monitor_ids }) => monitor_ids))];
}

/** Returns sections without the monitors that are not in `known`, and the IDs of the removed monitors. */
export function withoutMissing(
  sections: Section[],
  known: ReadonlySet<string>,
): { sections: Section[]; omitted_monitor_ids: string[] } {
  return {
    sections: sections.map((section) => ({
      ...section,
      monitor_ids: section.monitor_ids.filter((id) => known.has(id)),
    })),
    omitted_monitor_ids: monitorIdsOf(sections).filter((id) => !known.has(id)),
  };
}
