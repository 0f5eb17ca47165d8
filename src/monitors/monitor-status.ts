/**
 * Statuses that a report or an incident can set for a monitor, best first. Also the values of the PostgreSQL type
 * `monitor_status`.
 */
export const REPORTED_STATUSES = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;

export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** All statuses of a monitor, worst first. */
export const MONITOR_STATUSES = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'unknown',
  'under_maintenance',
  'operational',
] as const;

export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

/** Returns the worst of several statuses, or undefined for an empty list. */
export function worstOf(statuses: Iterable<MonitorStatus>): MonitorStatus | undefined {
  const present = new Set(statuses);
  return MONITOR_STATUSES.find((status) => present.has(status));
}

/** Returns the worst status with a count above 0, or `unknown`. */
export function worstIn(counts: Record<MonitorStatus, number>): MonitorStatus {
  return MONITOR_STATUSES.find((status) => counts[status] > 0) ?? 'unknown';
}

/** A status of a monitor from `started_at` until before `ended_at`; null: no end yet. */
export interface StatusInterval {
  monitor_id: string;
  status: MonitorStatus;
  started_at: Date;
  ended_at: Date | null;
}
