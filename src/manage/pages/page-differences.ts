import type { SectionDto } from '../../status-pages/dto/section.dto.js';
import type { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { REVISED_FIELDS } from '../../status-pages/revisions/dto/revision.dto.js';
import { WORDS } from '../words.js';

const { page: pageWords } = WORDS;
const words = pageWords.history;

/** Maximum number of names that a difference lists. */
const MAX_NAMES = 5;

/** A difference of two states of a page, in words. */
export interface Difference {
  label: string;
  from: string;
  to: string;
}

/** Names of monitors by ID, without deleted monitors. */
export type MonitorNames = ReadonlyMap<string, string>;

/** Returns the differences of two states of a page, in the order of its fields. */
export function differencesOf(
  before: StatusPageDto,
  after: StatusPageDto,
  names: MonitorNames,
): Difference[] {
  return REVISED_FIELDS.flatMap((field) => {
    if (field === 'sections') return sectionDifferences(before.sections, after.sections, names);
    const [from, to] = [before[field], after[field]];
    if (from === to) return [];
    return [{ label: words.fields[field], from: textOf(field, from), to: textOf(field, to) }];
  });
}

/** Returns the value of a page's field in words. */
export function textOf(field: string, value: unknown): string {
  if (field === 'is_public') return value === true ? pageWords.settings.public : pageWords.settings.private;
  if (typeof value === 'boolean') return value ? pageWords.yes : pageWords.no;
  return value === null || value === '' ? pageWords.none : String(value);
}

function sectionDifferences(before: SectionDto[], after: SectionDto[], names: MonitorNames): Difference[] {
  const list = (ids: readonly string[]) => listed(ids.map((id) => names.get(id) ?? words.deleted_monitor));
  const [old, current] = [byId(before), byId(after)];
  const removed = before
    .filter(({ id }) => !current.has(id))
    .map(({ title, monitor_ids }) => ({
      label: words.section(title),
      from: list(monitor_ids),
      to: pageWords.none,
    }));
  const others = after.flatMap((section) => {
    const former = old.get(section.id);
    const { title, monitor_ids } = section;
    if (!former) return [{ label: words.section(title), from: pageWords.none, to: list(monitor_ids) }];
    const renamed = { label: words.section(former.title), from: former.title, to: title };
    const lost = former.monitor_ids.filter((id) => !monitor_ids.includes(id));
    const added = monitor_ids.filter((id) => !former.monitor_ids.includes(id));
    const isMoved = lost.length + added.length === 0 && monitor_ids.join() !== former.monitor_ids.join();
    const label = words.section_monitors(title);
    return [
      ...(former.title === title ? [] : [renamed]),
      ...(lost.length + added.length > 0 ? [{ label, from: list(lost), to: list(added) }] : []),
      ...(isMoved ? [{ label, from: list(former.monitor_ids), to: words.other_order }] : []),
    ];
  });
  const [formerOrder, order] = [
    before.filter(({ id }) => current.has(id)),
    after.filter(({ id }) => old.has(id)),
  ];
  const isOrdered = formerOrder.every(({ id }, index) => order[index]?.id === id);
  const titles = (sections: SectionDto[]) => listed(sections.map(({ title }) => title));
  return [
    ...removed,
    ...others,
    ...(isOrdered ? [] : [{ label: words.section_order, from: titles(formerOrder), to: titles(order) }]),
  ];
}

function byId(sections: SectionDto[]): Map<string, SectionDto> {
  return new Map(sections.map((section) => [section.id, section]));
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return pageWords.none;
  const more = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(more > 0 ? [words.more(more)] : [])].join(', ');
}
