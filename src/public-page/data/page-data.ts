import type { Day } from '../../days/packed-days.js';
import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import type { MaintenanceStatus } from '../../maintenances/maintenance-status.js';
import type { MonitorStatus, ReportedStatus } from '../../monitors/monitor-status.js';
import type { Headline } from '../../summaries/headline.js';
import type { StatusCounts } from '../../summaries/status-counts.js';

// What the parts of a page show. All texts are plain: without control characters and bidi overrides (`plain-text.ts`).

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
  created_at: Date;
  updated_at: Date;
  /** When all of this was read. */
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
  /** Percent, rounded down to two decimals; null: nothing was observed in the last `history_days` days. */
  uptime: number | null;
  /**
   * The days, oldest first, in which it was not operational all the time, and today. Of the last `history_days` days, the others
   * were operational for all 86,400 seconds. Empty where the page does not show its history.
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

/** What is, or was, affected. */
export interface AffectedData {
  monitor_id: string;
  name: string;
  /** In an incident, the worst one; in an update, what it says. */
  status: ReportedStatus;
}

export interface UpdateData {
  id: string;
  status: IncidentStatus;
  /** Markdown. */
  body: string;
  /** What is affected from this update on; null: as before. Only monitors of the page. */
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
  /** Newest first, at least one; in lists of what is over, only the newest. */
  updates: UpdateData[];
  affected: AffectedData[];
}

export interface MaintenanceData {
  id: string;
  title: string;
  /** Markdown. */
  body: string;
  status: MaintenanceStatus;
  starts_at: Date;
  /** As planned. */
  ends_at: Date;
  /** When it ended or will end: `ends_at`, or earlier, if it was closed before. */
  ended_at: Date;
  created_at: Date;
  updated_at: Date;
  monitors: { monitor_id: string; name: string }[];
}

/** An incident that has affected a monitor: for links from its days. */
export interface DayIncidentData {
  id: string;
  title: string;
  monitor_id: string;
  started_at: Date;
  /** null: until now. */
  ended_at: Date | null;
}

/** What the page shows now, without a history. */
export interface CurrentPart<Monitor = CurrentMonitor> {
  page: PageHead;
  headline: Headline;
  counts: StatusCounts;
  sections: SectionData<Monitor>[];
  /** Open incidents, newest start first. */
  incidents: IncidentData[];
  /** In progress, or ahead within 30 days, by start. */
  maintenances: MaintenanceData[];
}

/** The page itself: what it shows now, and the history. */
export interface Overview<Monitor = MonitorData> extends CurrentPart<Monitor> {
  /** Incidents that were open, and maintenances that ended, within the last 14 days, and are over; newest first. */
  recent: { incidents: IncidentData[]; maintenances: MaintenanceData[] };
  /** The incidents of the days of all monitors. Empty where the page does not show its history. */
  day_incidents: DayIncidentData[];
}

/** One monitor, with every day. */
export interface MonitorPart<Monitor = MonitorData> {
  page: PageHead;
  monitor: Monitor;
  day_incidents: DayIncidentData[];
}

/** Incidents and maintenances of a month, newest first. */
export interface MonthPart {
  page: PageHead;
  /** `YYYY-MM`. */
  month: string;
  /** The months before and after it; null: none that could have something. */
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

/** One maintenance. */
export interface MaintenancePart {
  page: PageHead;
  maintenance: MaintenanceData;
}

/** The latest incidents and maintenances, newest first, at most 200 of each. For feeds, and clients of Statuspage. */
export interface LatestPart {
  page: PageHead;
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
}
