import type { MaintenanceData, MaintenanceUpdateData } from '../../page-model/page-data.js';
import type { Links } from '../../page-model/links.js';
import type { Components } from './statuspage-components.js';
import type {
  ComponentStatus,
  ScheduledStatus,
  StatuspageComponent,
  StatuspageMaintenance,
  StatuspageUpdate,
} from './statuspage-types.js';

/** Component statuses in a maintenance window, before the update and from then on. */
const CHANGES: Record<ScheduledStatus, [before: ComponentStatus, after: ComponentStatus]> = {
  scheduled: ['operational', 'operational'],
  in_progress: ['operational', 'under_maintenance'],
  completed: ['under_maintenance', 'operational'],
};

/**
 * Converts a maintenance window of a page. Its last update is its announcement, with the ID of the window. The newest update has
 * the current status, and the others have the status of their time. Omits cancelled windows, because Statuspage deletes them.
 */
export function toMaintenance(pageId: string, components: Components, links: Links) {
  return ({ status, ...maintenance }: MaintenanceData): StatuspageMaintenance[] => {
    if (status === 'cancelled') return [];
    const { id, title, starts_at, ends_at, ended_at, monitors } = maintenance;
    const own = monitors.flatMap(({ monitor_id }) => components.ofMonitor(monitor_id));
    const announcement = { ...maintenance, posted_at: maintenance.created_at };
    const updates = [...maintenance.updates, announcement].map((update, index) =>
      toUpdate(update, index === 0 ? status : statusAt(update.posted_at, maintenance), id, own),
    );
    return [
      {
        id,
        name: title,
        status,
        created_at: maintenance.created_at.toISOString(),
        updated_at: maintenance.updated_at.toISOString(),
        monitoring_at: null,
        resolved_at: status === 'completed' ? ended_at.toISOString() : null,
        impact: 'maintenance',
        shortlink: links.absolute({ kind: 'maintenance', id }),
        started_at: starts_at.toISOString(),
        page_id: pageId,
        incident_updates: updates,
        components: own,
        reminder_intervals: null,
        scheduled_for: starts_at.toISOString(),
        scheduled_until: ends_at.toISOString(),
      },
    ];
  };
}

function toUpdate(
  { id, body, posted_at, created_at, updated_at }: MaintenanceUpdateData,
  status: ScheduledStatus,
  maintenanceId: string,
  components: StatuspageComponent[],
): StatuspageUpdate<ScheduledStatus> {
  const [old_status, new_status] = CHANGES[status];
  return {
    id,
    status,
    body,
    incident_id: maintenanceId,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    display_at: posted_at.toISOString(),
    affected_components:
      components.length > 0
        ? components.map(({ id: code, name }) => ({ code, name, old_status, new_status }))
        : null,
    deliver_notifications: false,
    custom_tweet: null,
    tweet_id: null,
  };
}

/** Returns the status that a window had at a time. */
function statusAt(
  time: Date,
  { starts_at, ended_at }: Pick<MaintenanceData, 'starts_at' | 'ended_at'>,
): ScheduledStatus {
  if (time < starts_at) return 'scheduled';
  return time < ended_at ? 'in_progress' : 'completed';
}
