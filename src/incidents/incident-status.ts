import type { ReportedStatus } from '../monitors/monitor-status.js';

/** The states of an incident. All but `resolved` are open. */
export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** The maximum number of updates of an incident. */
export const MAX_UPDATES = 1_000;

/** How bad an incident is, mildest first. */
export const IMPACTS = ['none', 'minor', 'major', 'critical'] as const;

export type Impact = (typeof IMPACTS)[number];

/** A monitor that an incident affects, and how badly. */
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

/** The impact of the worst of some statuses; `none` without any. */
export function impactOf(statuses: ReportedStatus[]): Impact {
  const present = new Set(statuses.map((status) => IMPACT_OF[status]));
  return IMPACTS.findLast((impact) => present.has(impact)) ?? 'none';
}
