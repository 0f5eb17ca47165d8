import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { firstIdAt } from '../platform/database/first-id.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ClaimedDelivery } from './channel.js';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.entity.js';

const KEPT_DAYS = 30;
const PENDING_DAYS = 7;
/** Attempts in `attempt_log`. A retry by an operator keeps earlier ones. */
const KEPT_ATTEMPTS = 10;
const DAY_MS = 86_400_000;

/** Columns of a delivery to insert. */
export type InsertedDelivery = Pick<
  Delivery,
  'organization_id' | 'project_id' | 'channel' | 'kind' | 'event_id' | 'recipient_id'
>;

/** Result of a claimed delivery. */
export interface Result {
  delivery: ClaimedDelivery;
  /** `pending`: the next attempt is due after `after_ms`. */
  status: DeliveryStatus;
  after_ms: number;
  error: string | null;
  /** false: the attempt has not begun, and does not count. */
  is_begun: boolean;
  attempt?: Attempt | undefined;
}

/**
 * Reads and writes the table `deliveries`, of all organizations, because a process delivers for all of them. Uses the clock of
 * the database, because the clocks of the processes can differ.
 */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Inserts deliveries that are due now. Ignores deliveries of an event that exist already. */
  async insert(deliveries: InsertedDelivery[], manager: EntityManager): Promise<void> {
    if (deliveries.length === 0) return;
    const of = <Value>(valueOf: (delivery: InsertedDelivery) => Value) =>
      deliveries.map((one) => valueOf(one));
    await this.runner.query(
      `INSERT INTO deliveries (id, organization_id, project_id, channel, kind, event_id, recipient_id, due_at)
       SELECT id, organization_id, project_id, channel, kind, event_id, recipient_id, now()
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::uuid[])
              AS new (id, organization_id, project_id, channel, kind, event_id, recipient_id)
           ON CONFLICT (event_id, recipient_id) DO NOTHING`,
      [
        of(() => uuidv7()),
        of(({ organization_id }) => organization_id),
        of(({ project_id }) => project_id),
        of(({ channel }) => channel),
        of(({ kind }) => kind),
        of(({ event_id }) => event_id),
        of(({ recipient_id }) => recipient_id),
      ],
      manager,
    );
  }

  /**
   * Writes the results of claimed deliveries. A result has no effect if another process has claimed the delivery in the
   * meantime, or if it is written twice, because the first response of the database was lost. The status is compared with a value of
   * the results, so that no plan reads all pending deliveries by `deliveries_queue_idx`: before a burst, the statistics know none.
   * @returns the IDs of the changed deliveries
   */
  async settle(results: Result[]): Promise<string[]> {
    const of = <Value>(valueOf: (result: Result) => Value) => results.map((one) => valueOf(one));
    const ids = of(({ delivery }) => delivery.id);
    const rows = await this.runner.queryLocked<{ id: string }>(
      {
        text: 'SELECT FROM deliveries WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
        values: [ids],
      },
      {
        text: `UPDATE deliveries
                  SET status = result.status,
                      error = coalesce(result.error, deliveries.error),
                      attempts = deliveries.attempts - CASE WHEN result.is_begun THEN 0 ELSE 1 END,
                      lease = deliveries.lease + CASE WHEN result.is_begun THEN 0 ELSE 1 END,
                      due_at = CASE result.status
                        WHEN 'pending' THEN clock_timestamp() + result.after_ms * interval '1 millisecond'
                        ELSE deliveries.due_at
                      END,
                      finished_at = CASE WHEN result.status <> 'pending' THEN clock_timestamp() END,
                      attempt_log = CASE
                        WHEN result.attempt IS NULL THEN deliveries.attempt_log
                        WHEN jsonb_array_length(deliveries.attempt_log) < ${KEPT_ATTEMPTS}
                          THEN deliveries.attempt_log || jsonb_build_array(result.attempt)
                        ELSE (deliveries.attempt_log - 0) || jsonb_build_array(result.attempt)
                      END
                 FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::double precision[], $6::text[], $7::boolean[],
                             $8::jsonb[], $9::text[])
                      AS result (organization_id, id, lease, status, after_ms, error, is_begun, attempt, pending)
                WHERE deliveries.id = ANY($2::uuid[])
                  AND deliveries.organization_id = result.organization_id AND deliveries.id = result.id
                  AND deliveries.lease = result.lease AND deliveries.status = result.pending
               RETURNING deliveries.id`,
        values: [
          of(({ delivery }) => delivery.organization_id),
          ids,
          of(({ delivery }) => delivery.lease),
          of(({ status }) => status),
          of(({ after_ms }) => after_ms),
          of(({ error }) => error),
          of(({ is_begun }) => is_begun),
          of(({ attempt }) => (attempt ? JSON.stringify(attempt) : null)),
          of(() => 'pending'),
        ],
      },
    );
    return rows.map(({ id }) => id);
  }

  /** Cancels at most `limit` deliveries that are pending for more than seven days, longer than any schedule. Returns their number. */
  async endOld(limit: number): Promise<number> {
    return this.runner.count(
      `WITH old AS (
         SELECT id FROM deliveries
          WHERE id < $1 AND status = 'pending' AND due_at < statement_timestamp() LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       UPDATE deliveries
          SET status = 'cancelled', finished_at = statement_timestamp(), error = 'pending for more than seven days',
              lease = lease + 1
         FROM old
        WHERE deliveries.id = old.id
       RETURNING 1`,
      [firstIdAt(Date.now() - PENDING_DAYS * DAY_MS), limit],
    );
  }

  /**
   * Deletes at most `limit` deliveries that were finished more than 30 days ago. Finds them by their IDs, which contain the time.
   * @returns the number of deleted deliveries
   */
  async deleteFinished(limit: number): Promise<number> {
    return this.runner.count(
      `WITH old AS (
         SELECT id FROM deliveries
          WHERE id < $1 AND status <> 'pending' AND finished_at < statement_timestamp() - $2 * interval '1 day'
          ORDER BY id
          LIMIT $3
            FOR UPDATE SKIP LOCKED
       )
       DELETE FROM deliveries USING old WHERE deliveries.id = old.id RETURNING 1`,
      [firstIdAt(Date.now() - KEPT_DAYS * DAY_MS), KEPT_DAYS, limit],
    );
  }
}
