import type { ReportedStatus } from '../monitors/monitor-status.js';

/** Statuses of an incident. All except `resolved` are open. */
export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** Maximum number of updates per incident. */
export const MAX_UPDATES = 1_000;

/** Severity of an incident, mildest first. */
export const IMPACTS = ['none', 'minor', 'major', 'critical'] as const;

export type Impact = (typeof IMPACTS)[number];

/** A monitor that an incident affects, and its severity. */
export interface AffectedMonitor {
  monitor_id: string;
  status: ReportedStatus;
}

const IMPACT_OF: Record<ReportedStatus, Impact> = {
  operational: 'none',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
};

/** Returns the impact of the worst status, or `none` for an empty list. */
export function impactOf(statuses: ReportedStatus[]): Impact {
  const present = new Set(statuses.map((status) => IMPACT_OF[status]));
  return IMPACTS.findLast((impact) => present.has(impact)) ?? 'none';
}
