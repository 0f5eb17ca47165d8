import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from '../events/event-types.js';
import { EventsService, type NewEvent } from '../events/events.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceStatus } from './maintenance-status.js';
import type { Maintenance } from './maintenance.entity.js';
import type { LockedMaintenance } from './maintenances.repository.js';

/** Time before the start of a window at which subscribers are reminded, in milliseconds. */
export const REMINDER_MS = 3_600_000;

type Times = Pick<Maintenance, 'starts_at' | 'ends_at'>;
type Plan = Times & Pick<Maintenance, 'closed_as'>;

/**
 * Records the events of maintenance windows. What the clock brings about is planned: an event in the future, which is replaced
 * when the window changes.
 */
@Injectable()
export class MaintenanceEvents {
  constructor(private readonly events: EventsService) {}

  /** Records the events of a new window. If it has ended or is closed, records no event, because it describes only the past. */
  async scheduled(
    window: ProjectRef & Plan & { id: string },
    notify: boolean,
    manager: EntityManager,
  ): Promise<void> {
    const now = new Date();
    if (isOver(statusOf(window, now))) return;
    const own = eventsOf(window, notify);
    await this.events.record([own('maintenance.scheduled'), ...planned(window, now, own)], manager);
  }

  /**
   * Records what a change of a locked window brings about, and plans its events again. If nobody was to be notified of the
   * planned events, nobody is notified of the change and of the new ones.
   */
  async changed(
    current: LockedMaintenance & { id: string },
    next: Plan,
    manager: EntityManager,
  ): Promise<void> {
    const isMoved = !hasTimes(current, next);
    if (!isMoved && current.closed_as === next.closed_as) return;
    const { now } = current;
    const notify = (await this.events.cancelPlanned(current, manager)) ?? true;
    const status = statusOf(next, now);
    const isFinal = isOver(status);
    // A correction of a past window notifies no subscribers.
    const own = eventsOf(current, notify && !(isFinal && isOver(current.status)));
    const type = typeOf(current.status, status);
    const event = own(type);
    if (type === 'maintenance.rescheduled') event.data = { from: timesOf(current), to: timesOf(next) };
    await this.events.record([event, ...(isFinal ? [] : planned(next, now, own))], manager);
  }

  /** Removes the planned events of a locked window that is being deleted. */
  async deleted(window: LockedMaintenance & { id: string }, manager: EntityManager): Promise<void> {
    await this.events.cancelPlanned(window, manager);
  }
}

type EventAt = (type: EventType, planned_at?: Date) => NewEvent;

/** Returns a function that makes events of a window. */
function eventsOf(
  { id: resource_id, organization_id, project_id }: ProjectRef & { id: string },
  notify: boolean,
): EventAt {
  return (type, planned_at) => ({
    type,
    organization_id,
    project_id,
    resource_id,
    notify,
    ...(planned_at && { planned_at }),
  });
}

/** Returns the events that the clock brings about after `now`. */
function planned({ starts_at, ends_at }: Times, now: Date, own: EventAt): NewEvent[] {
  const reminder = new Date(starts_at.getTime() - REMINDER_MS);
  return [
    own('maintenance.reminder', reminder),
    own('maintenance.started', starts_at),
    own('maintenance.completed', ends_at),
  ].filter(({ planned_at }) => planned_at !== undefined && planned_at > now);
}

function typeOf(before: MaintenanceStatus, after: MaintenanceStatus): EventType {
  if (before !== after && after === 'cancelled') return 'maintenance.cancelled';
  if (before !== after && after === 'completed') return 'maintenance.completed';
  return 'maintenance.rescheduled';
}

function statusOf({ starts_at, ends_at, closed_as }: Plan, now: Date): MaintenanceStatus {
  if (closed_as !== null) return closed_as;
  if (now < starts_at) return 'scheduled';
  return now < ends_at ? 'in_progress' : 'completed';
}

const isOver = (status: MaintenanceStatus): boolean => status === 'completed' || status === 'cancelled';

const timesOf = ({ starts_at, ends_at }: Times): Times => ({ starts_at, ends_at });

const hasTimes = (one: Times, other: Times): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() && one.ends_at.getTime() === other.ends_at.getTime();
