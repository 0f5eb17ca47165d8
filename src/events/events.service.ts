import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { Env } from '../platform/config/env.js';
import type { Changes } from '../platform/log/changes.js';
import { type ListPage, resolveCursor, toListPage } from '../platform/pagination/list-page.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { EventDto, ListEventsQuery, SentEventDto } from './dto/event.dto.js';
import { EVENTS, type EventType, isEventType } from './event-types.js';
import { type EventFilter, EventsRepository, type NotifiedEvent } from './events.repository.js';
import { RecordedEventsRepository } from './recorded-events.repository.js';

export type { NotifiedEvent } from './events.repository.js';

/** Days for which events are kept. */
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** Number of old events that one statement deletes. */
const AT_ONCE = 1_000;

/** An event to record. */
export interface NewEvent extends ProjectRef {
  actor: Actor;
  type: EventType;
  resource_id: string;
  /** The update of the incident. */
  update_id?: string | undefined;
  data?: Record<string, unknown>;
  /** Changed fields of the resource, for the log. */
  changes?: Changes | undefined;
  /** When the clock brings it about, for the events of maintenance windows. Default: it happens now. */
  planned_at?: Date;
  /** Whether subscribers and webhooks get it. Default: true. */
  notify?: boolean;
}

/** Returns the columns of an event that refer to its resource. */
export function refOf({ id: resource_id, organization_id, project_id }: ProjectRef & { id: string }) {
  return { organization_id, project_id, resource_id };
}

/** Records events in the transaction of the change that causes them, and lists them. */
@Injectable()
export class EventsService {
  constructor(
    private readonly repository: EventsRepository,
    private readonly recorded: RecordedEventsRepository,
    private readonly projects: ProjectsService,
    private readonly env: Env,
  ) {}

  /**
   * Records events in the transaction of `manager`. Their deliveries are created at the time of the event, those of an
   * incident by email after `NOTIFY_DELAY`.
   * @throws Error outside of a transaction, because the event could remain without its change
   */
  async record(events: NewEvent[], manager: EntityManager): Promise<void> {
    if (events.length === 0) return;
    if (!manager.queryRunner?.isTransactionActive)
      throw new Error("an event must be recorded with the manager of its change's transaction");
    const rows = events.map(
      ({ planned_at = null, notify: is_notified = true, data = {}, actor, ...event }) => {
        const isSentByEmail = is_notified && planned_at === null;
        return {
          ...event,
          id: uuidv7({ msecs: planned_at?.getTime() ?? Date.now() }),
          data,
          actor_type: actor.type,
          actor_id: actor.id,
          actor_name: actor.name,
          via: actor.via,
          request_id: actor.request_id,
          is_notified,
          planned_at,
          email_after_ms: isSentByEmail ? this.emailDelay(event.type) : null,
        };
      },
    );
    await this.repository.insertAll(rows, manager);
  }

  /** Returns after how many milliseconds an event is sent by email, or null if it never is. */
  private emailDelay(type: EventType): number | null {
    const { mail } = EVENTS[type];
    if (mail === null) return null;
    return mail.is_delayed ? this.env.NOTIFY_DELAY * 1000 : 0;
  }

  /** Makes the events of new resources cause no deliveries, for imports and the demo. Call it in the transaction that creates them. */
  async silence(organizationId: string, resourceIds: string[], manager: EntityManager): Promise<void> {
    await this.repository.silence(organizationId, resourceIds, manager);
  }

  /**
   * Deletes the planned events of a locked resource that have not happened.
   * @returns whether subscribers would have been notified of the planned events; undefined if there were none
   */
  async cancelPlanned(
    resource: { organization_id: string; id: string },
    manager: EntityManager,
  ): Promise<boolean | undefined> {
    const cancelled = await this.repository.deletePlanned(resource, manager);
    return cancelled.length === 0 ? undefined : cancelled.some(({ is_notified }) => is_notified);
  }

  /**
   * Lists the events of a project that have happened, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    { project_id, limit, cursor, ...filter }: ListEventsQuery,
  ): Promise<ListPage<EventDto>> {
    const list = { name: listName(filter), owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = await this.projects.require(access, project_id); // rows outlive their project
    return toListPage(list, await this.repository.findNewest(project, filter, { limit, after }));
  }

  /** Returns the number of events of a project and a type since a time, `max` at most. */
  async countOf(
    project: ProjectRef,
    type: EventType,
    since: Date,
    max: number,
    manager: EntityManager,
  ): Promise<number> {
    return this.repository.countOf(project, type, since, max, manager);
  }

  /** Returns an event of a project that recipients get, or undefined. Reads the primary, because a replica may not have the event yet. */
  async find(project: ProjectRef, id: string, manager?: EntityManager): Promise<SentEventDto | undefined> {
    const event = await this.repository.findOf(project, id, manager);
    if (!event) return undefined;
    const { type } = event;
    return isEventType(type) ? { ...event, type, project_id: project.project_id } : undefined;
  }

  /** Returns the events that the transaction of `manager` has recorded since its begin, and that cause deliveries now. */
  async findRecorded(organizationId: string, since: Date, manager: EntityManager): Promise<NotifiedEvent[]> {
    return this.recorded.findDue(organizationId, since, manager);
  }

  /** Returns how many events {@link findSince} returns, at most `max`. */
  async countSince(project: ProjectRef, types: EventType[], since: Date, max: number): Promise<number> {
    return this.repository.countSince(project, types, since, max);
  }

  /**
   * Returns the events of a project that have happened since a time and are notified, oldest first.
   * @param types empty: all types
   */
  async findSince(
    project: ProjectRef,
    types: EventType[],
    since: Date,
    limit: number,
  ): Promise<NotifiedEvent[]> {
    return this.repository.findSince(project, types, since, limit);
  }

  /**
   * Deletes some of the events that happened more than 90 days ago. Several processes can run it at the same time.
   * @returns whether events may be left
   */
  async deleteOld(): Promise<boolean> {
    const before = new Date(Date.now() - KEPT_DAYS * DAY_MS);
    return (await this.repository.deleteBefore(before, AT_ONCE)) >= AT_ONCE;
  }
}

/** Returns the name of the list with a filter, so that its cursors are invalid for the lists with other filters. */
function listName({ type, resource_id }: EventFilter): string {
  return ['events', type, resource_id].filter((part) => part !== undefined).join('_');
}
