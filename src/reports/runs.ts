import type { ReportedStatus } from '../monitors/monitor-status.js';

/** Successive reports of the same status. Times are in milliseconds since 1970. */
export interface Run {
  status: ReportedStatus;
  /** The time of the first report. */
  started_at: number;
  /** The time of the last report. */
  last_observed_at: number;
}

/** What a service knows of the reports of a monitor. */
export interface Reported {
  /** In the order of time, without overlap. */
  runs: Run[];
  /** The times of the last reports, newest first, at most {@link MAX_OBSERVATIONS}. */
  observations: number[];
  /** After this time in milliseconds without a report, the status is unknown; null: it holds. */
  stale_after: number | null;
}

/**
 * The number of reports whose times are kept. A report of another status that comes up to so many reports late splits a run
 * where the next report was made; a later one splits it until the next time that is known, at most until the run's end.
 */
export const MAX_OBSERVATIONS = 32;

/**
 * Adds a report to the runs of a monitor. The result is the same in any order of the reports, see {@link MAX_OBSERVATIONS}.
 *
 *     operational at 0, 1, 2    [0 operational 2]
 *     major_outage at 3         [0 operational 2] [3 major_outage 3]
 *     operational at 4          [0 operational 2] [3 major_outage 3] [4 operational 4]
 *     operational at 3, again   [0 operational 4]
 *
 * @param reported is modified
 * @returns whether the monitor had another status at that time
 */
export function addReport(reported: Reported, status: ReportedStatus, time: number): boolean {
  const { runs, stale_after } = reported;
  const place = runs.findLastIndex(({ started_at }) => started_at <= time);
  const run = runs[place];
  const report = { status, started_at: time, last_observed_at: time };
  const next = run && nextObservation(reported, place, time);
  const previous = reported.observations.find((one) => one < time) ?? -Infinity;
  addObservation(reported, time);
  if (!run || time > run.last_observed_at) {
    runs.splice(place + 1, 0, report);
    const holds = run?.status === status && isWithin(time - run.last_observed_at, stale_after);
    mergeNeighbors(reported, place + 1);
    return !holds;
  }
  if (run.status === status) return false;
  // Without a known report, the status held until just before.
  const last_observed_at = previous >= run.started_at ? previous : time - 1;
  const before = { ...run, last_observed_at };
  const after = next !== undefined && { ...run, started_at: next };
  const isSplit = time > run.started_at;
  runs.splice(place, 1, ...(isSplit ? [before] : []), report, ...(after ? [after] : []));
  mergeNeighbors(reported, isSplit ? place + 1 : place);
  return true;
}

/** The time of the next report in the run after `time`, as far as it is known; undefined: none. */
function nextObservation(
  { runs, observations, stale_after }: Reported,
  place: number,
  time: number,
): number | undefined {
  const end = runs[place]?.last_observed_at ?? -Infinity;
  const known = observations.findLast((one) => one > time);
  if (known !== undefined && known <= end) return known;
  // A run that ends just before the next was split there: it has no report at its end.
  const hasReport = runs[place + 1]?.started_at !== end + 1;
  if (time >= end || !hasReport) return undefined;
  // The gaps in a run are not longer.
  return stale_after === null ? end : Math.min(end, time + stale_after);
}

function addObservation(reported: Reported, time: number): void {
  const { observations } = reported;
  if (observations.includes(time)) return;
  const place = observations.findIndex((one) => one < time);
  observations.splice(place < 0 ? observations.length : place, 0, time);
  reported.observations = observations.slice(0, MAX_OBSERVATIONS);
}

/** Merges a run with the runs before and after it, if they have the same status and no gap that is too long. */
function mergeNeighbors({ runs, stale_after }: Reported, place: number): void {
  for (const first of [place, place - 1]) {
    const [one, other] = [runs[first], runs[first + 1]];
    if (!one || !other || one.status !== other.status) continue;
    if (!isWithin(other.started_at - one.last_observed_at, stale_after)) continue;
    runs.splice(first, 2, { ...one, last_observed_at: other.last_observed_at });
  }
}

function isWithin(gap: number, stale_after: number | null): boolean {
  return stale_after === null || gap <= stale_after;
}
