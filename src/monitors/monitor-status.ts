/** The statuses that a report or an incident can give a monitor, best first; also the values of the type `monitor_status` in PostgreSQL. */
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

/** The worst of several statuses; undefined for none. */
export function worstOf(statuses: Iterable<MonitorStatus>): MonitorStatus | undefined {
  const present = new Set(statuses);
  return MONITOR_STATUSES.find((status) => present.has(status));
}

/** The worst status that has a count above 0; `unknown` without any. */
export function worstIn(counts: Record<MonitorStatus, number>): MonitorStatus {
  return MONITOR_STATUSES.find((status) => counts[status] > 0) ?? 'unknown';
}

/** A status of a monitor from `started_at` until before `ended_at`; null: it has no end yet. */
export interface StatusInterval {
  monitor_id: string;
  status: MonitorStatus;
  started_at: Date;
  ended_at: Date | null;
}
