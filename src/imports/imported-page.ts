import type { NewMonitor } from '../monitors/monitors.service.js';

/** A status page, as every importer returns it. */
export interface ImportedPage {
  name: string;
  description?: string;
  /** A host name in lower case, or null. */
  custom_domain?: string | null;
  sections: { id: string; title: string; monitors: NewMonitor[] }[];
  /** Names of the fields in the file that were not imported. */
  not_imported: string[];
}
