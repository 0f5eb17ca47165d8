import type { NewIncident } from '../incidents/new-incident.js';
import type { NewMaintenance } from '../maintenances/maintenances.service.js';
import type { NewMonitor } from '../monitors/monitor-creation.js';
import type { Report } from '../reports/reports.service.js';

/** Maximum number of incidents and maintenance windows of an import, together. */
export const MAX_EVENTS = 1_000;

/** An incident with all times. */
export type ImportedIncident = NewIncident & { started_at: Date };

/**
 * A status page, as every importer returns it. Monitors that something references have IDs. Contains only plain data and dates,
 * because it comes from another thread.
 */
export interface ImportedPage {
  name: string;
  description?: string;
  /** A host name in lower case, or null. */
  custom_domain?: string | null;
  sections: { id: string; title: string; monitors: NewMonitor[] }[];
  reports?: Report[];
  /** Operational reports at the start of the history of monitors. Not counted. */
  starts?: Report[];
  /** Name in the IANA database. */
  time_zone?: string;
  /** Oldest first. */
  incidents?: ImportedIncident[];
  maintenances?: NewMaintenance[];
  /** Names of the fields in the file that were not imported. */
  not_imported: string[];
}
