import type { NewMonitor } from '../monitors/monitors.service.js';

/** A status page as every importer gives it. */
export interface ImportedPage {
  name: string;
  description?: string;
  /** A host name in lower case; null: it has none. */
  custom_domain?: string | null;
  sections: { id: string; title: string; monitors: NewMonitor[] }[];
  /** What the file says besides, and has no place here. */
  not_imported: string[];
}
