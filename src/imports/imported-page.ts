import type { NewMonitor } from '../monitors/monitors.service.js';

/** A status page as every importer gives it. */
export interface ImportedPage {
  name: string;
  sections: { id: string; title: string; monitors: NewMonitor[] }[];
  /** What the file says besides, and has no place here. */
  not_imported: string[];
}

/** What an import made. */
export interface ImportReport {
  status_page_id: string;
  project_id: string;
  name: string;
  slug: string;
  /** How many sections and monitors were made. */
  sections: number;
  monitors: number;
  not_imported: string[];
}
