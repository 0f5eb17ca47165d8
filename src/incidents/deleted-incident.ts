import type { IncidentWithUpdates } from './incident-changes.js';

/** Returns the data of the event `incident.deleted`: title, status pages, and affected monitors. */
export function dataOfDeleted(
  { title, affects_monitors, updates }: IncidentWithUpdates,
  status_page_ids: string[] | null,
): Record<string, unknown> {
  const monitors = updates.flatMap((update) => update.monitors ?? []);
  const monitor_ids = [...new Set(monitors.map(({ monitor_id }) => monitor_id))];
  return { title, status_page_ids, monitor_ids: affects_monitors ? monitor_ids : null };
}
