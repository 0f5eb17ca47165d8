import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import { firstIdAt } from '../platform/database/first-id.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { OF_PROJECT, projectParameters } from '../platform/database/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { Changes } from '../platform/log/changes.js';
import type { EventDto } from './dto/event.dto.js';
import { type EventFilter, listEvents } from './event-list-statements.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import { Event } from './event.entity.js';
import { hasEndpoints } from './event-statements.js';

/** Columns of an event to insert. */
export type InsertedEvent = Pick<
  Event,
  | 'id'
  | 'organization_id'
  | 'resource_id'
  | 'data'
  | 'is_notified'
  | 'actor_type'
  | 'actor_id'
  | 'actor_name'
  | 'via'
  | 'request_id'
> & {
  project_id: string;
  type: EventType;
  changes?: Changes | undefined;
  update_id?: string | undefined;
  /** When the clock brings it about; null: it happens now. */
  planned_at: Date | null;
  /** Time by the clock of the database, which decides what is due, after which email is sent; null: never, or at `due_at`. */
  email_after_ms: number | null;
};

/** An event that recipients get. */
export type NotifiedEvent = Pick<
  Event,
  'id' | 'organization_id' | 'resource_id' | 'update_id' | 'data' | 'created_at'
> & { project_id: string; type: EventType };

const ACTOR = `CASE WHEN actor_type IS NOT NULL
                    THEN json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) END`;

/**
 * SQL condition: events of the project $1, $2 with one of the types $4 that have happened since $3 and are notified. Uses
 * `events_type_idx`.
 */
const SINCE = `organization_id = $1 AND project_id = $2 AND created_at >= $3 AND created_at <= statement_timestamp()
          AND is_notified AND type = ANY($4::text[])`;

/** Reads and writes the table `events`, but for its queue, see {@link EventQueue}. */
@Injectable()
export class EventsRepository {
  private readonly table: ResourceTable<Event, EventDto>;

  constructor(
    @InjectRepository(Event) repository: Repository<Event>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, [
      'id',
      'type',
      { as: 'resource_type', sql: `split_part(type, '.', 1)` },
      'project_id',
      'resource_id',
      'update_id',
      'data',
      'changes',
      { as: 'actor', sql: ACTOR },
      'via',
      'request_id',
      'created_at',
    ]);
  }

  async insertAll(events: InsertedEvent[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, update_id, data, changes, actor_type, actor_id, actor_name, via,
                           request_id, created_at, is_notified, is_planned, due_at, email_due_at)
       SELECT id, organization_id, project_id, type, resource_id, update_id, data, changes, actor_type, actor_id, actor_name, via, request_id,
              coalesce(planned_at, statement_timestamp()), is_notified, planned_at IS NOT NULL,
              CASE WHEN NOT is_notified THEN NULL
                   WHEN planned_at IS NOT NULL THEN planned_at
                   WHEN ${hasEndpoints('new')} THEN statement_timestamp()
                   ELSE email_due_at
              END, email_due_at
         FROM (SELECT *, statement_timestamp() + email_after_ms * interval '1 millisecond' AS email_due_at
                 FROM jsonb_to_recordset($1::jsonb)
                      AS row (id uuid, organization_id uuid, project_id uuid, type text, resource_id uuid, update_id uuid,
                              data jsonb, changes jsonb, actor_type text, actor_id uuid, actor_name text, via text, request_id uuid, is_notified boolean, planned_at timestamptz, email_after_ms integer)) AS new`,
      [JSON.stringify(events)],
      manager,
    );
  }

  /** Makes the events of new resources cause no deliveries, in the transaction that has created them. Uses `events_of_resource_idx`. */
  async silence(organizationId: string, resourceIds: string[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE events SET due_at = NULL, is_notified = false
        WHERE organization_id = $1 AND resource_id = ANY($2::uuid[])`,
      [organizationId, resourceIds],
      manager,
    );
  }

  /**
   * Deletes the planned events of a resource that have not happened. The caller has locked the resource.
   * @returns the deleted events
   */
  async deletePlanned(
    { organization_id, id }: { organization_id: string; id: string },
    manager: EntityManager,
  ): Promise<Pick<Event, 'is_notified'>[]> {
    return this.runner.query<Pick<Event, 'is_notified'>>(
      `DELETE FROM events
        WHERE organization_id = $1 AND resource_id = $2 AND created_at > statement_timestamp()
          AND (is_planned OR created_at > statement_timestamp() + interval '1 minute') -- of an older version
       RETURNING is_notified`,
      [organization_id, id],
      manager,
    );
  }

  /** Returns the events of an organization that have happened and meet a filter, newest first. */
  async findNewest(organizationId: string, filter: EventFilter, range: Range): Promise<Rows<EventDto>> {
    const hasCursor = range.after !== null;
    const { select, values } = listEvents(this.table.columns, organizationId, filter, hasCursor);
    return this.table.listBy(select, values, range);
  }

  /** Returns the events of {@link findNewest}, oldest first. */
  async findOldest(organizationId: string, filter: EventFilter, range: Range): Promise<Rows<EventDto>> {
    const hasCursor = range.after !== null;
    const { select, values } = listEvents(this.table.columns, organizationId, filter, hasCursor, 'oldest');
    return this.table.listBy(select, values, range);
  }

  /** Returns an event of a project as in a list, or undefined. */
  async findOf(project: ProjectRef, id: string, manager?: EntityManager): Promise<EventDto | undefined> {
    const [event] = await this.runner.read<EventDto>(
      `SELECT ${this.table.columns} FROM events WHERE organization_id = $1 AND project_id = $2 AND id = $3`,
      [...projectParameters(project), id],
      manager,
    );
    return event;
  }

  /** Counts the events of a type since a time, up to `max`. Uses `events_type_idx`. */
  async countOf(
    project: ProjectRef,
    type: EventType,
    since: Date,
    max: number,
    manager: EntityManager,
  ): Promise<number> {
    return this.runner.count(
      `SELECT FROM events WHERE ${OF_PROJECT} AND type = $3 AND created_at >= $4 LIMIT $5`,
      [...projectParameters(project), type, since, max],
      manager,
    );
  }

  /** Returns the number of events that {@link findSince} finds, at most `max`, without reading them into the process. */
  async countSince(project: ProjectRef, types: EventType[], since: Date, max: number): Promise<number> {
    const values = [...projectParameters(project), since, orAll(types), max];
    return this.runner.count(`SELECT FROM events WHERE ${SINCE} LIMIT $5`, values);
  }

  /** Returns events of a project that have happened since a time and are notified, oldest first. */
  async findSince(
    project: ProjectRef,
    types: EventType[],
    since: Date,
    limit: number,
  ): Promise<NotifiedEvent[]> {
    return this.runner.read<NotifiedEvent>(
      `SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at
         FROM events
        WHERE ${SINCE}
        ORDER BY created_at, id
        LIMIT $5`,
      [...projectParameters(project), since, orAll(types), limit],
    );
  }

  /**
   * Deletes at most `limit` events of any organization that happened before a time. Finds them by their IDs, which contain the
   * time. Skips rows that another process is deleting.
   * @returns the number of deleted events
   */
  async deleteBefore(time: Date, limit: number): Promise<number> {
    return this.deleteOldest('', time, limit);
  }

  /** Like {@link deleteBefore}, but only `monitor.status_changed`. Uses `events_status_changes_idx`. */
  async deleteStatusChangesBefore(time: Date, limit: number): Promise<number> {
    return this.deleteOldest(`AND type = 'monitor.status_changed'`, time, limit);
  }

  private async deleteOldest(condition: string, time: Date, limit: number): Promise<number> {
    return this.runner.count(
      `WITH old AS (
         SELECT id FROM events WHERE id < $1 ${condition} ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM events USING old WHERE events.id = old.id RETURNING 1`,
      [firstIdAt(time.getTime()), limit],
    );
  }
}

/** Returns the types that an endpoint selects. Empty: all. */
function orAll(types: EventType[]): EventType[] {
  return types.length === 0 ? EVENT_TYPES : types;
}
