import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { projectParameters } from '../platform/database/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { queueOfProjects } from '../projects/queue-statements.js';
import type { Event } from './event.entity.js';
import type { NotifiedEvent } from './events.repository.js';

/** An event whose deliveries this transaction creates. */
export type LockedEvent = NotifiedEvent &
  Pick<Event, 'channel' | 'page_id' | 'recipient_id'> & {
    /** Whether deliveries by email wait for `email_due_at`. */
    email_waits: boolean;
    /** Whether it happened more than a day ago, and so is no news any more. */
    is_stale: boolean;
  };

/** Up to where an event has its deliveries. */
export interface Place {
  channel: string;
  /** Status page and ID of the last recipient; null: none yet. */
  page_id: string | null;
  recipient_id: string | null;
  /** Whether the next deliveries wait for `email_due_at`. */
  waits: boolean;
}

/** SQL: the event is no news any more. */
const IS_STALE = `created_at < statement_timestamp() - interval '1 day'`;

/** SQL: the event is in the queue (`events_queue_idx`). */
const IS_QUEUED = 'due_at IS NOT NULL AND NOT is_planned';

/** SQL of the pause after `failures`: 5 seconds, twice as long each time, at most an hour. */
const PAUSE = `least(interval '5 seconds' * 2 ^ least(failures, 10), interval '1 hour')`;

/** The first event of each project in the queue. */
const QUEUE = queueOfProjects('events', IS_QUEUED);

/** Number of planned events that one statement puts into the queue. */
const ADMITTED_AT_ONCE = 1_000;

/** Number of stale events that one statement ends. */
const STALE_AT_ONCE = 1_000;

/**
 * The events of all organizations whose deliveries are to be created (`events_queue_idx`). Each project has a queue of its own,
 * in the order of `due_at`.
 */
@Injectable()
export class EventQueue {
  constructor(private readonly runner: StatementRunner) {}

  /** Puts the planned events that the clock has brought about into the queue. Uses `events_planned_idx`. */
  async admitPlanned(): Promise<void> {
    await this.runner.query(
      // An array, because a join could read all events.
      `UPDATE events SET is_planned = false
        WHERE id = ANY(ARRAY(
                SELECT id FROM events WHERE is_planned AND due_at <= statement_timestamp() LIMIT ${ADMITTED_AT_ONCE}
                   FOR UPDATE SKIP LOCKED
              ))`,
      [],
    );
  }

  /** Returns the projects with events that are due, in the order of their IDs. Looks at one event of each project in the queue. */
  async projectsWithDue(): Promise<ProjectRef[]> {
    return this.runner.query<ProjectRef>(
      `WITH ${QUEUE} SELECT organization_id, project_id FROM queue WHERE due_at <= statement_timestamp()`,
      [],
    );
  }

  /** Returns for how many seconds the oldest due event has been due, or 0. Pauses after failures do not count as due. */
  async secondsDue(): Promise<number> {
    const [row] = await this.runner.read<{ seconds: number | null }>(
      `WITH ${QUEUE}
       SELECT greatest(0, extract(epoch FROM statement_timestamp() - min(due_at)))::double precision AS seconds FROM queue`,
      [],
    );
    return row?.seconds ?? 0;
  }

  /**
   * Locks the event of a project that is due first. Passes over those that another process has locked. Uses `events_queue_idx`.
   * @param exceptChannels events whose next deliveries are on these channels are passed over
   */
  async lockDue(
    project: ProjectRef,
    exceptChannels: string[],
    manager: EntityManager,
  ): Promise<LockedEvent | undefined> {
    const [event] = await this.runner.query<LockedEvent>(
      `SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at, channel, page_id, recipient_id,
              coalesce(email_due_at > statement_timestamp(), false) AS email_waits, ${IS_STALE} AS is_stale
         FROM events
        WHERE organization_id = $1 AND project_id = $2 AND ${IS_QUEUED} AND due_at <= statement_timestamp()
          AND (channel IS NULL OR channel <> ALL($3::text[]))
        ORDER BY due_at, id
        LIMIT 1
          FOR UPDATE SKIP LOCKED`,
      [...projectParameters(project), exceptChannels],
      manager,
    );
    return event;
  }

  /** Stores the place up to which a locked event has its deliveries; null: it has all of them. */
  async advance(
    { id, organization_id }: LockedEvent,
    place: Place | null,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE events
          SET due_at = CASE WHEN $3::text IS NULL THEN NULL WHEN $6::boolean THEN email_due_at ELSE clock_timestamp() END,
              channel = $3, page_id = $4, recipient_id = $5, position = NULL, failures = 0
        WHERE organization_id = $1 AND id = $2`,
      [
        organization_id,
        id,
        place?.channel ?? null,
        place?.page_id ?? null,
        place?.recipient_id ?? null,
        place?.waits ?? false,
      ],
      manager,
    );
  }

  /** Makes an event due after a pause that grows with its failures. */
  async postpone({ id, organization_id }: Pick<Event, 'id' | 'organization_id'>): Promise<void> {
    await this.runner.query(
      `UPDATE events SET due_at = clock_timestamp() + ${PAUSE}, failures = failures + 1
        WHERE organization_id = $1 AND id = $2 AND due_at IS NOT NULL`,
      [organization_id, id],
    );
  }

  /** Ends due events of a project that happened more than a day ago, at most 1,000. Returns their number. */
  async dropStale(project: ProjectRef, manager: EntityManager): Promise<number> {
    return this.runner.count(
      `WITH stale AS (
         SELECT id FROM events
          WHERE organization_id = $1 AND project_id = $2 AND ${IS_QUEUED} AND ${IS_STALE}
          LIMIT $3
            FOR UPDATE SKIP LOCKED
       )
       UPDATE events SET due_at = NULL FROM stale WHERE events.id = stale.id RETURNING 1`,
      [...projectParameters(project), STALE_AT_ONCE],
      manager,
    );
  }
}
