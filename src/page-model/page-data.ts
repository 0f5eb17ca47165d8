import type { Day } from '../summaries/days/packed-days.js';
import type { Impact, IncidentStatus } from '../incidents/incident-status.js';
import type { MaintenanceStatus } from '../maintenances/maintenance-status.js';
import type { MonitorStatus, ReportedStatus } from '../monitors/monitor-status.js';
import type { Headline } from '../summaries/headline.js';
import type { StatusCounts } from '../summaries/status-counts.js';
import type { PageBranding } from './branding.js';
import type { ResponseTimesData } from './response-times-data.js';

// Data of page parts. All texts are plain: without control characters and bidi overrides (`plain-text.ts`).

/** Number of days for which ended incidents and maintenance windows stay on the overview. */
export const RECENT_DAYS = 14;

/** Maximum number of updates that lists of past incidents and maintenance windows show for each of them. */
export const MAX_PAST_UPDATES = 3;

/** Maximum number on the overview, whose visitors come for the present. */
export const MAX_RECENT_UPDATES = 1;

/** A status page. */
export interface PageHead {
  id: string;
  slug: string;
  name: string;
  description: string;
  accent_color: string;
  is_public: boolean;
  show_powered_by: boolean;
  show_history: boolean;
  history_days: number;
  rss_enabled: boolean;
  /** Ways to subscribe on `/subscribe`: by mail and feeds, or only by feeds; null: there is no such part. */
  subscribing: 'mail' | 'feeds' | null;
  created_at: Date;
  updated_at: Date;
  branding: PageBranding;
  /** Time of the snapshot. */
  as_of: Date;
}

/** A day of a monitor, in UTC: the seconds in each status. */
export type DayData = Day;

/** A monitor of the page, without its history. */
export interface CurrentMonitor {
  monitor_id: string;
  name: string;
  description: string;
  status: MonitorStatus;
  created_at: Date;
  updated_at: Date;
}

/** A monitor of the page. */
export interface MonitorData extends CurrentMonitor {
  /** Percent, rounded down to two decimals; null if nothing was observed in the last `history_days` days. */
  uptime: number | null;
  /** Seconds on which the uptime is based. */
  observed_seconds: number;
  /**
   * Today and the days on which it was not always operational, oldest first. On the other of the last `history_days` days, it
   * was operational for all 86,400 seconds. Empty if the page does not show its history.
   */
  days: DayData[];
}

export interface SectionData<Monitor = MonitorData> {
  id: string;
  title: string;
  status: MonitorStatus;
  counts: StatusCounts;
  monitors: Monitor[];
}

/** An affected monitor. */
export interface AffectedData {
  monitor_id: string;
  name: string;
  /** Worst or current status in an incident, or the status that an update sets. */
  status: ReportedStatus;
}

export interface UpdateData {
  id: string;
  status: IncidentStatus;
  /** Markdown. */
  body: string;
  /** Affected monitors of the page from this update on; null: unchanged. */
  affected: AffectedData[] | null;
  posted_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface IncidentData {
  id: string;
  title: string;
  status: IncidentStatus;
  impact: Impact;
  started_at: Date;
  resolved_at: Date | null;
  /** Markdown. */
  postmortem: string | null;
  created_at: Date;
  updated_at: Date;
  /** Newest first, at least one. In lists of past incidents, at most one more than shown. */
  updates: UpdateData[];
  /** All monitors that the incident affects or has affected, with their worst status. */
  affected: AffectedData[];
  /** Monitors that the incident affects now, with the status that it sets. */
  affected_now: AffectedData[];
}

export interface MaintenanceUpdateData {
  id: string;
  /** Markdown. */
  body: string;
  posted_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface MaintenanceData {
  id: string;
  title: string;
  /** Markdown. */
  body: string;
  status: MaintenanceStatus;
  starts_at: Date;
  /** Planned end. */
  ends_at: Date;
  /** Actual end: `ends_at`, or earlier if the window was closed before. */
  ended_at: Date;
  created_at: Date;
  updated_at: Date;
  /** Newest first. In lists of past maintenance windows, at most one more than shown. */
  updates: MaintenanceUpdateData[];
  monitors: { monitor_id: string; name: string }[];
}

/** An incident that has affected a monitor, for links from its days. */
export interface DayIncidentData {
  id: string;
  title: string;
  monitor_id: string;
  started_at: Date;
  /** null: until now. */
  ended_at: Date | null;
}

/** Current contents of the page, without a history. */
export interface CurrentPart<Monitor = CurrentMonitor> {
  page: PageHead;
  headline: Headline;
  counts: StatusCounts;
  sections: SectionData<Monitor>[];
  /** Open incidents, newest start first. */
  incidents: IncidentData[];
  /** Windows that are in progress or start within 30 days, sorted by start. */
  maintenances: MaintenanceData[];
}

/** The overview: current contents of the page, and its history. */
export interface Overview<Monitor = MonitorData> extends CurrentPart<Monitor> {
  /** Incidents and maintenance windows that ended within the last 14 days, newest first. */
  recent: { incidents: IncidentData[]; maintenances: MaintenanceData[] };
  /** Incidents of the days of all monitors. Empty if the page does not show its history. */
  day_incidents: DayIncidentData[];
}

/** One monitor, with every day. */
export interface MonitorPart<Monitor = MonitorData> {
  page: PageHead;
  monitor: Monitor;
  /** undefined: the page does not show them. */
  response_times?: ResponseTimesData;
  day_incidents: DayIncidentData[];
}

/** Incidents and maintenance windows of a month, newest first. */
export interface MonthPart {
  page: PageHead;
  /** `YYYY-MM`. */
  month: string;
  /** Months before and after it; null if they cannot contain anything. */
  previous: string | null;
  next: string | null;
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
}

/** One incident. */
export interface IncidentPart {
  page: PageHead;
  incident: IncidentData;
}

/** One maintenance window. */
export interface MaintenancePart {
  page: PageHead;
  maintenance: MaintenanceData;
}

/** Ways to subscribe, and the monitors of the page. */
export interface SubscribePart {
  page: PageHead;
  sections: { title: string; monitors: { monitor_id: string; name: string }[] }[];
}

/** The latest incidents and maintenance windows, newest first, at most 200 of each. For feeds and Statuspage clients. */
export interface LatestPart {
  page: PageHead;
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
}
