import type { ChangedTimes } from './changed-times.js';
import type { ChangedRuns } from './reports.repository.js';
import type { Reported, Run } from './runs.js';

/** Returns the difference between the former and the new runs, or undefined if they are equal. */
export function changesOf(
  monitor_id: string,
  before: Run[],
  { runs, observations }: Reported,
  first: number,
): ChangedRuns | undefined {
  const current = runs.at(-1);
  if (!current) return undefined;
  const closed = runs.slice(0, -1);
  const stored = new Map(before.slice(0, -1).map((run) => [run.started_at, run]));
  const kept = new Set(closed.map(({ started_at }) => started_at));
  return {
    monitor_id,
    deleted: [...stored.keys()].filter((start) => !kept.has(start)),
    written: closed.filter((run) => !isEqual(run, stored.get(run.started_at))),
    current,
    observations,
    times: changedTimes(before, runs, first),
  };
}

/** Returns the time range from the first report until the next unchanged run, or undefined if no status has changed. */
function changedTimes(before: Run[], runs: Run[], first: number): ChangedTimes | undefined {
  let same = 0; // unchanged runs at the end
  while (isEqual(before.at(-1 - same), runs.at(-1 - same))) same++;
  if (same === before.length && same === runs.length) return undefined;
  const next = runs[runs.length - same];
  return {
    from: new Date(Math.min(first, ...newEnds(before, runs))),
    to: next ? new Date(next.started_at) : null,
  };
}

/**
 * Returns the new ends of runs that now end earlier. If `stale_after_seconds` has become shorter, a gap in a run can exceed it.
 * A report in the gap then makes the status unknown from the end of the run, which is before the report.
 */
function newEnds(before: Run[], runs: Run[]): number[] {
  const ends = new Map(before.map(({ started_at, last_observed_at }) => [started_at, last_observed_at]));
  return runs
    .filter(({ started_at, last_observed_at }) => last_observed_at < (ends.get(started_at) ?? -Infinity))
    .map(({ last_observed_at }) => last_observed_at);
}

function isEqual(one: Run | undefined, other: Run | undefined): boolean {
  return (
    one !== undefined &&
    one.status === other?.status &&
    one.started_at === other.started_at &&
    one.last_observed_at === other.last_observed_at
  );
}
