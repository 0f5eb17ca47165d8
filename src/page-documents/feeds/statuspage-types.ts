import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import type { ReportedStatus } from '../../monitors/monitor-status.js';

// Document types of the public Atlassian Statuspage API, version 2 (`{page}/api`). Times are in RFC 3339 with
// milliseconds, in UTC.

export interface StatuspagePage {
  id: string;
  name: string;
  url: string;
  time_zone: 'Etc/UTC';
  updated_at: string;
}

export interface StatuspageStatus {
  indicator: 'none' | 'minor' | 'major' | 'critical' | 'maintenance';
  description: string;
}

/** Statuspage does not support `unknown`. */
export type ComponentStatus = ReportedStatus | 'under_maintenance';

export interface StatuspageComponent {
  id: string;
  name: string;
  status: ComponentStatus;
  created_at: string;
  updated_at: string;
  /** Position from 1: of a group on the page, or of a component in its group. */
  position: number;
  description: string | null;
  showcase: boolean;
  /** `YYYY-MM-DD`. */
  start_date: string | null;
  group_id: string | null;
  page_id: string;
  group: boolean;
  only_show_if_degraded: boolean;
  /** Component IDs, only for a group. */
  components?: string[];
}

export interface AffectedComponent {
  /** Component ID. */
  code: string;
  name: string;
  old_status: ComponentStatus;
  new_status: ComponentStatus;
}

export interface StatuspageUpdate<Status> {
  id: string;
  status: Status;
  body: string;
  incident_id: string;
  created_at: string;
  updated_at: string;
  display_at: string;
  affected_components: AffectedComponent[] | null;
  deliver_notifications: boolean;
  custom_tweet: null;
  tweet_id: null;
}

interface StatuspageEvent<Status, EventImpact> {
  id: string;
  name: string;
  status: Status;
  created_at: string;
  updated_at: string;
  monitoring_at: string | null;
  resolved_at: string | null;
  impact: EventImpact;
  shortlink: string;
  started_at: string;
  page_id: string;
  /** Newest first. */
  incident_updates: StatuspageUpdate<Status>[];
  components: StatuspageComponent[];
  reminder_intervals: null;
}

export type StatuspageIncident = StatuspageEvent<IncidentStatus, Impact>;

/** Statuspage also has `verifying`, which this service does not use. */
export type ScheduledStatus = 'scheduled' | 'in_progress' | 'completed';

export interface StatuspageMaintenance extends StatuspageEvent<ScheduledStatus, 'maintenance'> {
  scheduled_for: string;
  scheduled_until: string;
}

/** Fields of the documents. Each document contains some of them, and all contain `page`. */
export interface StatuspageSummary {
  page: StatuspagePage;
  status: StatuspageStatus;
  components: StatuspageComponent[];
  incidents: StatuspageIncident[];
  scheduled_maintenances: StatuspageMaintenance[];
}
