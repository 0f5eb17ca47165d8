import type { Incident } from './incident.entity.js';
import type { Impact } from './incident-status.js';
import type { IncidentUpdate } from './incident-update.entity.js';

/** An update of a new incident. If `monitors` is null or omitted, they are unchanged. `posted_at` defaults to now. */
export type NewIncidentUpdate = Pick<IncidentUpdate, 'status' | 'body'> &
  Partial<Pick<IncidentUpdate, 'id' | 'monitors' | 'posted_at'>>;

/**
 * A new incident. `updates` has at least one update, in the order of creation. The first takes effect at `started_at`; the others
 * must not be posted before it. `started_at` defaults to now. If `impact` is null, it is derived.
 */
export type NewIncident = Pick<Incident, 'title'> &
  Partial<Pick<Incident, 'id' | 'started_at' | 'status_page_ids' | 'postmortem' | 'is_notified'>> & {
    impact?: Impact | null;
    updates: NewIncidentUpdate[];
  };
