import type { MonitorStatus } from '../monitors/monitor-status.js';

/** Number of monitors in each status, and in total. */
export type StatusCounts = { total: number } & Record<MonitorStatus, number>;

export function countsOf(statuses: MonitorStatus[]): StatusCounts {
  const counts: StatusCounts = {
    total: statuses.length,
    major_outage: 0,
    partial_outage: 0,
    degraded_performance: 0,
    unknown: 0,
    under_maintenance: 0,
    operational: 0,
  };
  for (const status of statuses) counts[status]++;
  return counts;
}
