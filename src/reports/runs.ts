import type { ReportedStatus } from '../monitors/monitor-status.js';

/** Consecutive reports with the same status. Times are in milliseconds since 1970. */
export interface Run {
  status: ReportedStatus;
  /** Time of the first report. */
  started_at: number;
  /** Time of the last report. */
  last_observed_at: number;
}

/** Stored report history of a monitor. */
export interface Reported {
  /** Sorted by time, without overlap. */
  runs: Run[];
  /** Times of the last reports, newest first, at most {@link MAX_OBSERVATIONS}. */
  observations: number[];
  /** Milliseconds without a report after which the status is unknown; null: never. */
  stale_after: number | null;
}

/**
 * Number of reports whose times are stored. A late report with another status splits a run. The part after it starts at the next
 * report of the run. If more than this many reports are newer than the late one, the time of that report may no longer be stored.
 * The part then starts at the earliest later time that is stored and in the run. Without one, it starts `stale_after` after the
 * late report, or at the end of the run, whichever is earlier.
 */
export const MAX_OBSERVATIONS = 32;

/**
 * Adds a report to the runs of a monitor. The result does not depend on the order of reports
 * with different times, except beyond {@link MAX_OBSERVATIONS}. Of two reports with the same time, the later call wins.
 *
 *     operational at 0, 1, 2    [0 operational 2]
 *     major_outage at 3         [0 operational 2] [3 major_outage 3]
 *     operational at 4          [0 operational 2] [3 major_outage 3] [4 operational 4]
 *     operational at 3          [0 operational 4]   replaces the outage
 *
 * @param reported is modified
 * @returns whether the report changes the status of the monitor at its time
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
  // If no earlier report of the run is stored, its status lasts until 1 ms before this report.
  const last_observed_at = previous >= run.started_at ? previous : time - 1;
  const before = { ...run, last_observed_at };
  const after = next !== undefined && { ...run, started_at: next };
  const isSplit = time > run.started_at;
  runs.splice(place, 1, ...(isSplit ? [before] : []), report, ...(after ? [after] : []));
  mergeNeighbors(reported, isSplit ? place + 1 : place);
  return true;
}

/** Returns the time of the next known report in the run after `time`, or undefined. */
function nextObservation(
  { runs, observations, stale_after }: Reported,
  place: number,
  time: number,
): number | undefined {
  const end = runs[place]?.last_observed_at ?? -Infinity;
  const known = observations.findLast((one) => one > time);
  if (known !== undefined && known <= end) return known;
  // If a run ends 1 ms before the next one starts, a late report has cut it, and no report was sent at its end.
  const hasReport = runs[place + 1]?.started_at !== end + 1;
  if (time >= end || !hasReport) return undefined;
  // Consecutive reports of a run are at most `stale_after` apart.
  return stale_after === null ? end : Math.min(end, time + stale_after);
}

function addObservation(reported: Reported, time: number): void {
  const { observations } = reported;
  if (observations.includes(time)) return;
  const place = observations.findIndex((one) => one < time);
  observations.splice(place < 0 ? observations.length : place, 0, time);
  reported.observations = observations.slice(0, MAX_OBSERVATIONS);
}

/** Merges a run with the runs before and after it if they have the same status and the gap is not too long. */
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
