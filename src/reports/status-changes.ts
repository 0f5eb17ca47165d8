import type { NewEvent } from '../events/events.service.js';
import type { Actor } from '../platform/auth/actor.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { Reported } from './runs.js';

/** Reported status of a monitor before and after a batch of reports; null: unknown. */
export interface StatusChange {
  monitor_id: string;
  from: ReportedStatus | null;
  to: ReportedStatus | null;
}

/** Returns the reported status at `now`. Before its first report, a monitor that cannot become stale is operational. */
export function statusOf({ runs, stale_after }: Reported, now: number): ReportedStatus | null {
  const current = runs.at(-1);
  if (stale_after === null) return current?.status ?? 'operational';
  return current && now <= current.last_observed_at + stale_after ? current.status : null;
}

/** Returns an event for each monitor whose status has changed. */
export function eventsOf(
  actor: Actor,
  { organization_id, project_id }: ProjectRef,
  changes: StatusChange[],
): NewEvent[] {
  return changes
    .filter(({ from, to }) => from !== to)
    .map(({ monitor_id: resource_id, from, to }) => ({
      type: 'monitor.status_changed',
      organization_id,
      project_id,
      resource_id,
      actor,
      data: { from, to },
    }));
}
