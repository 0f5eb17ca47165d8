import type { ReportedStatus } from '../../monitors/monitor-status.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { Incident } from '../incident.entity.js';
import type { IncidentUpdate } from '../incident-update.entity.js';

/** The page that shows incidents, its monitors, and the time at which it shows them: what is ahead of it is not shown. */
export interface ShowingPage extends ProjectRef {
  id: string;
  monitor_ids: string[];
  now: Date;
}

/** Which incidents of a page: one; those in a range of time, open or not; the open ones; those that ended since; or all. */
export type ShownFilter =
  { id: string } | { from: Date; to: Date } | { open: true } | { ended_since: Date } | Record<string, never>;

/** What an incident has said of a monitor of the page, from the first to the last time. */
export interface ShownImpact {
  monitor_id: string;
  /** The worst. */
  status: ReportedStatus;
  started_at: Date;
  /** null: until now. */
  ended_at: Date | null;
}

/** An incident as a page shows it, with its updates, newest first. */
export type ShownIncident = Pick<
  Incident,
  | 'id'
  | 'title'
  | 'status'
  | 'impact'
  | 'started_at'
  | 'resolved_at'
  | 'postmortem'
  | 'created_at'
  | 'updated_at'
> & {
  /** At most as many as wanted. The first update of the incident comes last. */
  updates: Pick<
    IncidentUpdate,
    'id' | 'status' | 'body' | 'monitors' | 'posted_at' | 'created_at' | 'updated_at'
  >[];
  /** By monitor; only monitors of the page. */
  impacts: ShownImpact[];
};

/** An incident that has affected a monitor, for the days of the monitor. */
export type DayIncident = ShownImpact & Pick<Incident, 'id' | 'title'>;

/** How much of the incidents of a page is read. An update can have 40,000 bytes. */
export interface ShownLimits {
  incidents: number;
  /** Of each incident, the newest. */
  updates: number;
}

/** An open incident as the summary of a page shows it. */
export type OpenIncident = Pick<
  Incident,
  'id' | 'title' | 'status' | 'impact' | 'monitors' | 'started_at' | 'created_at' | 'updated_at'
> & {
  last_update: Pick<IncidentUpdate, 'id' | 'status' | 'body' | 'posted_at'>;
};
