import type { ReportedStatus } from '../../monitors/monitor-status.js';
import type { IncidentData, UpdateData } from '../../page-model/page-data.js';
import type { Links } from '../../page-model/links.js';
import type { Components } from './statuspage-components.js';
import type { AffectedComponent, StatuspageIncident } from './statuspage-types.js';

/** Statuses that an incident of a page sets for monitors. */
type Statuses = ReadonlyMap<string, ReportedStatus>;

/** Converts an incident of a page. Its times are the times of the updates: `display_at` is when an update takes effect. */
export function toIncident(pageId: string, components: Components, links: Links) {
  return (incident: IncidentData): StatuspageIncident => {
    const { id, title, status, impact, started_at, created_at, updated_at, resolved_at, updates } = incident;
    const monitoring = updates.find((update) => update.status === 'monitoring');
    const changes = changesOf(updates, components);
    return {
      id,
      name: title,
      status,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
      monitoring_at: monitoring?.posted_at.toISOString() ?? null,
      resolved_at: resolved_at?.toISOString() ?? null,
      impact,
      shortlink: links.absolute({ kind: 'incident', id }),
      started_at: started_at.toISOString(),
      page_id: pageId,
      incident_updates: updates.map((update) => ({
        id: update.id,
        status: update.status,
        body: update.body,
        incident_id: id,
        created_at: update.created_at.toISOString(),
        updated_at: update.updated_at.toISOString(),
        display_at: update.posted_at.toISOString(),
        affected_components: changes.get(update.id) ?? null,
        deliver_notifications: false,
        custom_tweet: null,
        tweet_id: null,
      })),
      components: incident.affected.flatMap(({ monitor_id }) => components.ofMonitor(monitor_id)),
      reminder_intervals: null,
    };
  };
}

/**
 * Returns the changes of components by update ID: components that were affected before the update, or are affected from then
 * on. An update without monitors leaves them unchanged, and `resolved` ends all effects.
 */
function changesOf(updates: UpdateData[], components: Components): Map<string, AffectedComponent[]> {
  const changes = new Map<string, AffectedComponent[]>();
  let named: Statuses = new Map();
  let before: Statuses = new Map();
  for (const { id, status, affected } of updates.toReversed()) {
    if (affected) named = new Map(affected.map((one) => [one.monitor_id, one.status]));
    const after: Statuses = status === 'resolved' ? new Map() : named;
    const both = new Set([...before.keys(), ...after.keys()]);
    const affectedComponents = [...both].flatMap((monitor_id) =>
      components.ofMonitor(monitor_id).map((component) => ({
        code: component.id,
        name: component.name,
        old_status: before.get(monitor_id) ?? 'operational',
        new_status: after.get(monitor_id) ?? 'operational',
      })),
    );
    if (affectedComponents.length > 0) changes.set(id, affectedComponents);
    before = after;
  }
  return changes;
}
