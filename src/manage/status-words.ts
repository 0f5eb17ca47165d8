import type { MonitorStatus } from '../monitors/monitor-status.js';

/** Statuses of monitors. */
export const STATUS_WORDS: Record<MonitorStatus, string> = {
  operational: 'Operational',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  under_maintenance: 'Under maintenance',
  unknown: 'No reports yet',
};
