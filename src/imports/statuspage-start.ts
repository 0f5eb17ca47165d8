import type { NewMaintenance } from '../maintenances/maintenances.service.js';
import { parseRfc3339 } from '../platform/validation/rfc3339.js';
import { MAX_AGE_MS } from '../reports/dto/monitor-report.dto.js';
import type { Report } from '../reports/reports.service.js';
import type { ImportedIncident } from './imported-page.js';
import type { StatuspageComponent } from './statuspage-file.js';
import type { Reading } from './statuspage-reading.js';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The part of an import that proves that components existed. */
interface History {
  reports: Report[];
  incidents: ImportedIncident[];
  maintenances: NewMaintenance[];
}

/**
 * Returns an operational report for each component at the start of its history, at most 400 days ago, so that the days until its
 * status in the file have a percentage. The history starts with `start_date` or `created_at`, or with the UTC day of an earlier
 * incident or maintenance window that names the component.
 */
export function readStarts(
  components: StatuspageComponent[],
  { monitorIds }: Reading,
  { reports, incidents, maintenances }: History,
): Report[] {
  const now = Date.now();
  const reported = new Map(reports.map(({ monitor_id, observed_at }) => [monitor_id, observed_at.getTime()]));
  const named = firstTimes(incidents, maintenances);
  return components.flatMap(({ id, start_date, created_at }) => {
    const monitor_id = monitorIds.get(id);
    if (monitor_id === undefined) return [];
    const known = startOf(start_date) ?? startOf(created_at) ?? now;
    const event = named.get(monitor_id) ?? now;
    const start = Math.max(event < known ? event - (event % DAY_MS) : known, now - MAX_AGE_MS);
    if (start >= (reported.get(monitor_id) ?? now)) return [];
    return [{ monitor_id, status: 'operational', observed_at: new Date(start) }];
  });
}

/** Parses a day or a time; undefined for any other text. */
function startOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  return parseRfc3339(DAY.test(text) ? `${text}T00:00:00Z` : text)?.getTime();
}

/** Returns the start of the first incident or maintenance window of each monitor. */
function firstTimes(incidents: ImportedIncident[], maintenances: NewMaintenance[]): Map<string, number> {
  const times = new Map<string, number>();
  const add = (monitor_id: string, start: Date) =>
    times.set(monitor_id, Math.min(times.get(monitor_id) ?? Infinity, start.getTime()));
  for (const { started_at, updates } of incidents)
    for (const { monitor_id } of updates.flatMap(({ monitors }) => monitors ?? []))
      add(monitor_id, started_at);
  for (const { starts_at, monitor_ids } of maintenances)
    for (const monitor_id of monitor_ids ?? []) add(monitor_id, starts_at);
  return times;
}
