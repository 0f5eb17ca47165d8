import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from '../events/event-types.js';
import { EventsService, type NewEvent, refOf } from '../events/events.service.js';
import { type Actor, system } from '../platform/auth/actor.js';
import type { Changes } from '../platform/log/changes.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceStatus } from './maintenance-status.js';
import type { Maintenance } from './maintenance.entity.js';
import type { LockedMaintenance } from './maintenances.repository.js';

/** Time before the start of a window at which subscribers are reminded, in milliseconds. */
export const REMINDER_MS = 3_600_000;

type Times = Pick<Maintenance, 'starts_at' | 'ends_at'>;
type Plan = Times & Pick<Maintenance, 'closed_as'>;
type EventTypeOfMaintenance = Extract<EventType, `maintenance.${string}`>;

/** An event of a window. `planned_at`: when the clock brings it about; undefined: now. */
interface EventOfWindow {
  type: EventTypeOfMaintenance;
  planned_at?: Date;
}

/**
 * Records the events of maintenance windows. What the clock brings about is planned: an event in the future, which is replaced
 * when the window changes.
 */
@Injectable()
export class MaintenanceEvents {
  constructor(private readonly events: EventsService) {}

  /** Records the events of a new window. If it has ended or is closed, records no event, because it describes only the past. */
  async created(
    actor: Actor,
    window: ProjectRef & Plan & { id: string; is_notified: boolean },
    manager: EntityManager,
  ): Promise<void> {
    const notify = window.is_notified;
    const events = eventsBetween(null, window, new Date());
    await this.events.record(
      events.map((event) => ({ ...event, ...refOf(window), actor: actorOf(event, actor), notify })),
      manager,
    );
  }

  /**
   * Records what a change of a locked window brings about, and plans its events again.
   * @param change.sent whether subscribers are notified of this change; undefined: if they know of the window
   */
  async changed(
    actor: Actor,
    current: LockedMaintenance & { id: string },
    { next, changes, sent }: { next: Plan; changes: Changes; sent: boolean | undefined },
    manager: EntityManager,
  ): Promise<void> {
    const events = eventsBetween(current, next, current.now);
    if (events.length === 0) return;
    await this.events.cancelPlanned(current, manager);
    // A correction of a past window notifies no subscribers.
    const isPast = isOver(current.status) && isOver(statusOf(next, current.now));
    const knows = current.is_notified || sent === true;
    const data = { from: timesOf(current), to: timesOf(next) };
    const rows = events.map((event): NewEvent => ({
      ...event,
      ...refOf(current),
      actor: actorOf(event, actor),
      ...(event.type === 'maintenance.rescheduled' && { data }),
      ...(event.planned_at === undefined && { changes }),
      notify: event.planned_at ? knows : !isPast && (sent ?? current.is_notified),
    }));
    await this.events.record(rows, manager);
  }

  /** Removes the planned events of a locked window that is being deleted. */
  async deleted(window: LockedMaintenance & { id: string }, manager: EntityManager): Promise<void> {
    await this.events.cancelPlanned(window, manager);
  }
}

/**
 * Returns the events that a new or changed window causes: what happens now, and what the clock brings about later. None if
 * neither its times nor its closing change, or if a new one is over.
 * @param before null: the window is new
 */
export function eventsBetween(before: Plan | null, after: Plan, now: Date): EventOfWindow[] {
  const is = statusOf(after, now);
  if (!before && isOver(is)) return [];
  if (before && hasTimes(before, after) && before.closed_as === after.closed_as) return [];
  const type = typeOf(before && statusOf(before, now), is);
  return isOver(is) ? [{ type }] : [{ type }, ...planned(after, now)];
}

/** Returns the type of what happens now. */
function typeOf(was: MaintenanceStatus | null, is: MaintenanceStatus): EventTypeOfMaintenance {
  if (was === is) return 'maintenance.rescheduled';
  switch (is) {
    case 'cancelled':
      return 'maintenance.cancelled';
    case 'completed':
      return 'maintenance.completed';
    case 'in_progress':
      return 'maintenance.started';
    case 'scheduled':
      return was === null ? 'maintenance.scheduled' : 'maintenance.rescheduled';
  }
}

/** Returns the events that the clock brings about after `now`. */
function planned({ starts_at, ends_at }: Times, now: Date): EventOfWindow[] {
  const events = [
    { type: 'maintenance.reminder', planned_at: new Date(starts_at.getTime() - REMINDER_MS) },
    { type: 'maintenance.started', planned_at: starts_at },
    { type: 'maintenance.completed', planned_at: ends_at },
  ] as const;
  return events.filter(({ planned_at }) => planned_at > now);
}

/** Returns the actor of an event. The clock brings about planned ones, so their actor is the service. */
function actorOf({ planned_at }: EventOfWindow, actor: Actor): Actor {
  return planned_at ? system('maintenance schedule', actor.organization_id) : actor;
}

function statusOf({ starts_at, ends_at, closed_as }: Plan, now: Date): MaintenanceStatus {
  if (closed_as !== null) return closed_as;
  if (now < starts_at) return 'scheduled';
  return now < ends_at ? 'in_progress' : 'completed';
}

/** Returns whether a window has ended or is closed. It causes no further events. */
export const isOver = (status: MaintenanceStatus): boolean =>
  status === 'completed' || status === 'cancelled';

const timesOf = ({ starts_at, ends_at }: Times): Times => ({ starts_at, ends_at });

const hasTimes = (one: Times, other: Times): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() && one.ends_at.getTime() === other.ends_at.getTime();
