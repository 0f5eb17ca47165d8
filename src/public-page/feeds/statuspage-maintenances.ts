import type { MaintenanceData } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import type { Components } from './statuspage-components.js';
import type { ComponentStatus, ScheduledStatus, StatuspageMaintenance } from './statuspage-types.js';

/** Component statuses in a maintenance window, before the update and from then on. */
const CHANGES: Record<ScheduledStatus, [before: ComponentStatus, after: ComponentStatus]> = {
  scheduled: ['operational', 'operational'],
  in_progress: ['operational', 'under_maintenance'],
  completed: ['under_maintenance', 'operational'],
};

/**
 * Converts a maintenance window of a page. It has one update: its announcement, with the current status. Omits cancelled
 * windows, because Statuspage deletes them.
 */
export function toMaintenance(pageId: string, components: Components, links: Links) {
  return ({ status, ...maintenance }: MaintenanceData): StatuspageMaintenance[] => {
    if (status === 'cancelled') return [];
    const { id, title, body, starts_at, ends_at, ended_at, monitors } = maintenance;
    const own = monitors.flatMap(({ monitor_id }) => components.ofMonitor(monitor_id));
    const [old_status, new_status] = CHANGES[status];
    const times = {
      created_at: maintenance.created_at.toISOString(),
      updated_at: maintenance.updated_at.toISOString(),
    };
    return [
      {
        id,
        name: title,
        status,
        ...times,
        monitoring_at: null,
        resolved_at: status === 'completed' ? ended_at.toISOString() : null,
        impact: 'maintenance',
        shortlink: links.absolute({ kind: 'maintenance', id }),
        started_at: starts_at.toISOString(),
        page_id: pageId,
        incident_updates: [
          {
            id,
            status,
            body,
            incident_id: id,
            ...times,
            display_at: times.created_at,
            affected_components:
              own.length > 0
                ? own.map(({ id: code, name }) => ({ code, name, old_status, new_status }))
                : null,
            deliver_notifications: false,
            custom_tweet: null,
            tweet_id: null,
          },
        ],
        components: own,
        reminder_intervals: null,
        scheduled_for: starts_at.toISOString(),
        scheduled_until: ends_at.toISOString(),
      },
    ];
  };
}
