import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { Env } from '../platform/config/env.js';
import type { Changes } from '../platform/log/changes.js';
import type { Position } from '../platform/database/keyset.js';
import { type ListPage, readListPage } from '../platform/pagination/list-page.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { EventDto, ListEventsQuery, SentEventDto } from './dto/event.dto.js';
import { EVENTS, type EventType, isEventType } from './event-types.js';
import type { EventFilter } from './event-list-statements.js';
import { EventsRepository, type NotifiedEvent } from './events.repository.js';
import { RecordedEventsRepository } from './recorded-events.repository.js';

export type { NotifiedEvent } from './events.repository.js';

/** Maximum number of days for which `monitor.status_changed` is kept, the most frequent type by far. */
const STATUS_CHANGES_KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** Number of old events that one statement deletes. */
const AT_ONCE = 1_000;
/** Number of events that one statement of an export reads, at most about 4 MB. */
const EXPORTED_AT_ONCE = 200;

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
   * Lists events that have happened, newest first: those of a project, or of all that the actor can access.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    { project_id, limit, cursor, ...filter }: ListEventsQuery,
  ): Promise<ListPage<EventDto>> {
    const { organization_id } = access;
    const list = { name: listName(filter), owner_id: project_id ?? organization_id };
    const project_ids = project_id === undefined ? access.project_ids : [project_id];
    return readListPage(list, { limit, cursor }, async (range) => {
      if (project_id !== undefined) await this.projects.require(access, project_id); // rows outlive their project
      return this.repository.findNewest(organization_id, { ...filter, project_ids }, range);
    });
  }

  /**
   * Reads all events of an organization in a time range, oldest first, some at a time. Only for the administrator (the CLI).
   * @param range.from first time; undefined: the oldest event
   * @param range.to first time after the range
   */
  async *export(
    organizationId: string,
    range: { from?: Date | undefined; to: Date },
  ): AsyncGenerator<EventDto[]> {
    let after: Position | null = null;
    do {
      const filter = { ...range, project_ids: null };
      const rows = await this.repository.findOldest(organizationId, filter, {
        limit: EXPORTED_AT_ONCE,
        after,
      });
      const events: EventDto[] = JSON.parse(String(rows.json.text));
      yield events;
      after = rows.next;
    } while (after);
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

  /** Returns the events that the transaction of `manager` has recorded, and that cause deliveries now. */
  async findRecorded(organizationId: string, manager: EntityManager): Promise<NotifiedEvent[]> {
    return this.recorded.findDue(organizationId, manager);
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
   * Deletes some of the events that are older than `EVENTS_KEPT_DAYS`, or than 90 days for the status of a monitor. Several processes can
   * run it at the same time.
   * @returns whether events may be left
   */
  async deleteOld(): Promise<boolean> {
    const { EVENTS_KEPT_DAYS: days } = this.env;
    const deleted = await this.repository.deleteBefore(daysAgo(days), AT_ONCE);
    const changesDays = Math.min(days, STATUS_CHANGES_KEPT_DAYS);
    const deletedChanges = await this.repository.deleteStatusChangesBefore(daysAgo(changesDays), AT_ONCE);
    return deleted >= AT_ONCE || deletedChanges >= AT_ONCE;
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

/** Returns the name of the list with a filter, so that its cursors are invalid for the lists with other filters. */
function listName({ type, resource_id, actor_id, from, to }: Omit<EventFilter, 'project_ids'>): string {
  const filters = { type, resource_id, actor_id, from: from?.getTime(), to: to?.getTime() };
  const parts = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return ['events', ...parts].join('_');
}
