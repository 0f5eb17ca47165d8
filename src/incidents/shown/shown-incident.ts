import type { ReportedStatus } from '../../monitors/monitor-status.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { Incident } from '../incident.entity.js';
import type { IncidentUpdate } from '../incident-update.entity.js';

/** Page that shows incidents, its monitors, and the time at which it shows them. Later changes are not shown. */
export interface ShowingPage extends ProjectRef {
  id: string;
  monitor_ids: string[];
  now: Date;
}

/**
 * Filter of a page's incidents: one incident; open and resolved ones in a time range; open ones; incidents that ended since a
 * time; or all.
 */
export type ShownFilter =
  { id: string } | { from: Date; to: Date } | { open: true } | { ended_since: Date } | Record<string, never>;

/** Status that an incident has set for a monitor of the page, from the first to the last time. */
export interface ShownImpact {
  monitor_id: string;
  /** Worst status. */
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
  /** Limited to the wanted number. The first update of the incident comes last. */
  updates: Pick<
    IncidentUpdate,
    'id' | 'status' | 'body' | 'monitors' | 'posted_at' | 'created_at' | 'updated_at'
  >[];
  /** One per monitor of the page. `current_status` is the status that the incident sets now; null: the effect has ended. */
  impacts: (ShownImpact & { current_status: ReportedStatus | null })[];
};

/** An incident that affected a monitor, for the monitor's days. */
export type DayIncident = ShownImpact & Pick<Incident, 'id' | 'title'>;

/** Limits of the incidents to read. An update can have 40,000 bytes. */
export interface ShownLimits {
  incidents: number;
  /** Maximum number of updates per incident, newest first. */
  updates: number;
}

/** An open incident in the summary of a page. */
export type OpenIncident = Pick<
  Incident,
  'id' | 'title' | 'status' | 'impact' | 'monitors' | 'started_at' | 'created_at' | 'updated_at'
> & {
  last_update: Pick<IncidentUpdate, 'id' | 'status' | 'body' | 'posted_at'>;
};
