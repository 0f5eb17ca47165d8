import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { Reported, Run } from './runs.js';

/** A run in the database. */
interface RunRow {
  status: ReportedStatus;
  started_at: Date;
  last_observed_at: Date;
}

/** The current run of a monitor in the database, and the other values that its reports depend on. */
export interface StateRow {
  monitor_id: string;
  status: ReportedStatus | null;
  started_at: Date | null;
  last_observed_at: Date | null;
  observations: Date[];
  stale_after_seconds: number | null;
}

export function toReported({
  status,
  started_at,
  last_observed_at,
  observations,
  stale_after_seconds,
}: StateRow): Reported {
  const hasRun = status && started_at && last_observed_at;
  return {
    runs: hasRun ? [toRun({ status, started_at, last_observed_at })] : [],
    observations: observations.map((time) => time.getTime()),
    stale_after: stale_after_seconds === null ? null : stale_after_seconds * 1000,
  };
}

function toRun({ status, started_at, last_observed_at }: RunRow): Run {
  return { status, started_at: started_at.getTime(), last_observed_at: last_observed_at.getTime() };
}

export function toRow({ status, started_at, last_observed_at }: Run): RunRow {
  return { status, started_at: new Date(started_at), last_observed_at: new Date(last_observed_at) };
}
