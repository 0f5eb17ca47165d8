import type { ReportedStatus } from '../monitors/monitor-status.js';
import { type AffectedMonitor, type Impact, impactOf, type IncidentStatus } from './incident-status.js';

/** Facts from which the history of an incident is derived: its start, and its updates in any order. */
export interface IncidentFacts {
  started_at: Date;
  updates: UpdateFacts[];
}

/** Status and affected monitors of an update. */
export interface UpdateFacts {
  id: string;
  status: IncidentStatus;
  /** Monitors that are affected from this update on; null: unchanged. */
  monitors: AffectedMonitor[] | null;
  posted_at: Date;
  created_at: Date;
}

/**
 * An interval in which an incident sets one status for a monitor. `ended_at` is null if it lasts until now. It is empty if the
 * incident names the monitor, but never sets a status for any time, so that the pages of the monitor show the incident.
 */
export interface ImpactInterval {
  monitor_id: string;
  status: ReportedStatus;
  started_at: Date;
  ended_at: Date | null;
}

/** Fields derived from the updates of an incident. */
export interface IncidentHistory {
  /** Status set by the latest update. */
  status: IncidentStatus;
  /** Currently affected monitors. Empty while the incident is resolved. */
  monitors: AffectedMonitor[];
  /** Last transition to `resolved`; null while the incident is open. */
  resolved_at: Date | null;
  /** Impact of the worst status that any update has set for any monitor. */
  impact: Impact;
  /** Whether an update has set a status for a monitor. */
  affects_monitors: boolean;
  /** By monitor, oldest first. */
  intervals: Map<string, ImpactInterval[]>;
}

/**
 * Computes the fields derived from the updates of an incident. The update that was created first takes effect at the start of
 * the incident; each later update takes effect when it was posted.
 */
export function historyOf({ started_at, updates }: IncidentFacts): IncidentHistory {
  const ordered = inOrder(started_at, updates);
  const intervals = new Map<string, ImpactInterval[]>();
  let status: IncidentStatus = 'investigating';
  let named: AffectedMonitor[] = [];
  let affected: AffectedMonitor[] = [];
  let resolved_at: Date | null = null;
  for (const [index, { at, update }] of ordered.entries()) {
    status = update.status;
    named = update.monitors ?? named;
    affected = status === 'resolved' ? [] : named;
    resolved_at = status === 'resolved' ? (resolved_at ?? at) : null;
    // Of several updates at the same time, only the last one counts.
    if (ordered[index + 1]?.at.getTime() !== at.getTime()) record(intervals, affected, at);
  }
  for (const { at, update } of ordered)
    for (const { monitor_id, status: set } of update.monitors ?? [])
      if (!intervals.has(monitor_id))
        intervals.set(monitor_id, [{ monitor_id, status: set, started_at: at, ended_at: at }]);
  const everAffected = updates.flatMap(({ monitors }) => monitors ?? []);
  return {
    status,
    monitors: affected,
    resolved_at,
    impact: impactOf(everAffected.map((monitor) => monitor.status)),
    affects_monitors: everAffected.length > 0,
    intervals,
  };
}

/** Returns the status that is in effect at a time, which is not before the start. */
export function statusAt({ started_at, updates }: IncidentFacts, time: Date): IncidentStatus {
  return inOrder(started_at, updates).findLast(({ at }) => at <= time)?.update.status ?? 'investigating';
}

/** Returns the update that was created first. */
export function firstOf<Update extends UpdateFacts>(updates: Update[]): Update | undefined {
  return updates.toSorted(byCreation)[0];
}

function inOrder(started_at: Date, updates: UpdateFacts[]): { at: Date; update: UpdateFacts }[] {
  const first = firstOf(updates);
  return updates
    .map((update) => ({ at: update === first ? started_at : update.posted_at, update }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || byCreation(one.update, other.update));
}

function byCreation(one: UpdateFacts, other: UpdateFacts): number {
  return one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1);
}

/** Ends the intervals of monitors whose status changes at `at`, and starts their new intervals. */
function record(intervals: Map<string, ImpactInterval[]>, affected: AffectedMonitor[], at: Date): void {
  const statuses = new Map(affected.map(({ monitor_id, status }) => [monitor_id, status]));
  for (const [monitor_id, list] of intervals) {
    const last = list.at(-1);
    if (!last || last.ended_at !== null) continue;
    if (last.status === statuses.get(monitor_id)) statuses.delete(monitor_id);
    else last.ended_at = at;
  }
  for (const [monitor_id, status] of statuses) {
    const list = intervals.get(monitor_id) ?? [];
    list.push({ monitor_id, status, started_at: at, ended_at: null });
    intervals.set(monitor_id, list);
  }
}

/** Difference between two sets of intervals of an incident. */
export interface IntervalChanges {
  removed: ImpactInterval[];
  added: ImpactInterval[];
  /** Monitors whose history differs. */
  monitor_ids: string[];
  /** From the earliest to the latest time that differs. `to` is null if it lasts until now. null if nothing differs. */
  times: { from: Date; to: Date | null } | null;
}

/** Compares the intervals of an incident before and after a change. */
export function changesBetween(
  before: IncidentHistory['intervals'],
  after: IncidentHistory['intervals'],
): IntervalChanges {
  const changes: IntervalChanges = { removed: [], added: [], monitor_ids: [], times: null };
  for (const monitor_id of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(monitor_id) ?? [], after.get(monitor_id) ?? []];
    const removed = without(old, now);
    const added = without(now, old);
    if (removed.length + added.length === 0) continue;
    const from = firstDifference(removed[0], added[0]);
    const to = lastDifference(removed.at(-1), added.at(-1));
    changes.removed.push(...removed);
    changes.added.push(...added);
    changes.monitor_ids.push(monitor_id);
    if (from) changes.times = changes.times ? spanOf(changes.times, { from, to }) : { from, to };
  }
  return changes;
}

/** Returns the earliest time at which two intervals of a monitor differ. */
function firstDifference(
  one: ImpactInterval | undefined,
  other: ImpactInterval | undefined,
): Date | undefined {
  const startTogether =
    one?.started_at.getTime() === other?.started_at.getTime() && one?.status === other?.status;
  const times = startTogether ? [one?.ended_at, other?.ended_at] : [one?.started_at, other?.started_at];
  return times.flatMap((time) => time ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** Returns the latest time at which two intervals of a monitor differ; null if they differ until now. */
function lastDifference(one: ImpactInterval | undefined, other: ImpactInterval | undefined): Date | null {
  const endTogether =
    one?.status === other?.status && one?.ended_at?.getTime() === other?.ended_at?.getTime();
  const times = endTogether ? [one?.started_at, other?.started_at] : [one?.ended_at, other?.ended_at];
  if (times.includes(null)) return null;
  return times.flatMap((time) => time ?? []).toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
}

type Times = NonNullable<IntervalChanges['times']>;

function spanOf(one: Times, other: Times): Times {
  const from = one.from < other.from ? one.from : other.from;
  if (one.to === null || other.to === null) return { from, to: null };
  return { from, to: one.to > other.to ? one.to : other.to };
}

/** Returns the intervals of a monitor that are not in another list of its intervals. */
function without(list: ImpactInterval[], other: ImpactInterval[]): ImpactInterval[] {
  const textOf = ({ status, started_at, ended_at }: ImpactInterval) =>
    `${status} ${started_at.getTime()} ${ended_at?.getTime()}`;
  const known = new Set(other.map(textOf));
  return list.filter((interval) => !known.has(textOf(interval)));
}
