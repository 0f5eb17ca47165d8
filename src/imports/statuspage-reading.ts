import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { parseRfc3339 } from '../platform/validation/rfc3339.js';
import { cutText } from './cut-text.js';
import type { Omissions } from './not-imported.js';
import type { StatuspageUpdate } from './statuspage-file.js';

/** What the parts of a file share while they are read. */
export interface Reading {
  /** The monitors of components, by the ids of the components. */
  monitorIds: ReadonlyMap<string, string>;
  groupIds: ReadonlySet<string>;
  omissions: Omissions;
}

/** An update with the time that is shown of it. */
export type TimedUpdate = StatuspageUpdate & { at: Date };

/** The updates of an incident or maintenance, oldest first. A file has the newest one first. */
export function inOrder(updates: StatuspageUpdate[] | null | undefined): TimedUpdate[] {
  return (updates ?? [])
    .map((update) => ({ ...update, at: timeOf(update.display_at ?? update.created_at) }))
    .toReversed()
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** The time of a text that was checked to be one. */
export function timeOf(text: string): Date {
  return parseRfc3339(text) ?? new Date(NaN);
}

/** The status of a monitor that a word means; undefined: there is none, such as for `under_maintenance`. */
export function reportedStatusOf(word: string | null | undefined): ReportedStatus | undefined {
  return REPORTED_STATUSES.find((status) => status === word);
}

/** The monitor of a component. Counts a component that the file does not have. Groups have no monitor. */
export function monitorOf(
  id: string | null | undefined,
  field: string,
  { monitorIds, groupIds, omissions }: Reading,
): string | undefined {
  const monitor_id = monitorIds.get(id ?? '');
  if (monitor_id === undefined && !groupIds.has(id ?? '')) omissions.add(field, 'not in the file');
  return monitor_id;
}

/** A text of at most `max` characters. Counts one that is cut. */
export function fitText(text: string, max: number, field: string, { omissions }: Reading): string {
  const fitting = cutText(text, max);
  if (fitting !== text) omissions.add(field, `cut to ${max} characters`);
  return fitting;
}

/** At most `max` items of a list. Counts the others. */
export function fitList<Item>(items: Item[], max: number, field: string, { omissions }: Reading): Item[] {
  omissions.add(field, `beyond ${max}`, items.length - max);
  return items.slice(0, max);
}
