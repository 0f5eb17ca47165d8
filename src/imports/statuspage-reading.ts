import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { parseRfc3339 } from '../platform/validation/rfc3339.js';
import { cutText } from './cut-text.js';
import type { Omissions } from './not-imported.js';
import type { StatuspageUpdate } from './statuspage-file.js';

/** State that is shared while the parts of a file are read. */
export interface Reading {
  /** Monitor IDs by component ID. */
  monitorIds: ReadonlyMap<string, string>;
  groupIds: ReadonlySet<string>;
  omissions: Omissions;
}

/** An update with its display time. */
export type TimedUpdate = StatuspageUpdate & { at: Date };

/** Returns the updates of an incident or maintenance window, oldest first. Files contain the newest one first. */
export function inOrder(updates: StatuspageUpdate[] | null | undefined): TimedUpdate[] {
  return (updates ?? [])
    .map((update) => ({ ...update, at: timeOf(update.display_at ?? update.created_at) }))
    .toReversed()
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** Parses a validated time. */
export function timeOf(text: string): Date {
  return parseRfc3339(text) ?? new Date(NaN);
}

/** Returns the reported status for a word, or undefined, for example for `under_maintenance`. */
export function reportedStatusOf(word: string | null | undefined): ReportedStatus | undefined {
  return REPORTED_STATUSES.find((status) => status === word);
}

/** Returns the monitor of a component. Counts components that are not in the file. Groups have no monitor. */
export function monitorOf(
  id: string | null | undefined,
  field: string,
  { monitorIds, groupIds, omissions }: Reading,
): string | undefined {
  const monitor_id = monitorIds.get(id ?? '');
  if (monitor_id === undefined && !groupIds.has(id ?? '')) omissions.add(field, 'not in the file');
  return monitor_id;
}

/** Truncates a text to `max` characters, and counts truncated texts. */
export function fitText(text: string, max: number, field: string, { omissions }: Reading): string {
  const fitting = cutText(text, max);
  if (fitting !== text) omissions.add(field, `cut to ${max} characters`);
  return fitting;
}

/** Returns at most `max` items of a list, and counts the omitted ones. */
export function fitList<Item>(items: Item[], max: number, field: string, { omissions }: Reading): Item[] {
  omissions.add(field, `beyond ${max}`, items.length - max);
  return items.slice(0, max);
}
