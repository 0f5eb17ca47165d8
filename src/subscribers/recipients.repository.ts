import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AudiencePage } from '../deliveries/audiences.service.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { Subscriber } from './subscriber.entity.js';

/** A subscriber as the mail needs it. */
export type Recipient = Pick<
  Subscriber,
  | 'id'
  | 'organization_id'
  | 'project_id'
  | 'status_page_id'
  | 'email'
  | 'status'
  | 'monitor_ids'
  | 'detail'
  | 'maintenances'
  | 'source'
>;

/** Which subscribers of a page get mail about something. */
export interface Audience {
  organization_id: string;
  page: AudiencePage;
  is_maintenance: boolean;
  /** Whether it begins or is over, which is also sent to subscribers with the detail `edges`. */
  is_edge: boolean;
}

/** Subscribers that one statement looks at. */
const SCANNED = 5_000;

/** Columns of a {@link Recipient}. */
export const RECIPIENT_COLUMNS =
  'id, organization_id, project_id, status_page_id, email, status, monitor_ids, detail, maintenances, source';

const day = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

/** SQL: whether mail to the subscriber has also bounced on an earlier day (UTC), since the last delivery. */
export const BOUNCED_EARLIER = `coalesce(${day('last_bounced_at')} < ${day('clock_timestamp()')}, false)`;

/**
 * SQL: the last bounce after mail is delivered. The provider reports a bounce after it has accepted the mail, so only the next
 * mail without a report shows that the address works.
 */
const BOUNCE_AFTER_DELIVERY = `CASE WHEN bounce_is_reported AND last_bounced_at > last_sent_at THEN last_bounced_at END`;

/** SQL of the next subscribers that match an {@link Audience}, with {@link valuesOf}. */
// `scanned` is read no further than needed, unless there are fewer matches than `limit`.
const MATCHING = `
  WITH scanned AS MATERIALIZED (
    SELECT id, monitor_ids, detail, maintenances
      FROM subscribers
     WHERE organization_id = $1 AND status_page_id = $2 AND status = 'active' AND ($3::uuid IS NULL OR id > $3)
     ORDER BY id
     LIMIT ${SCANNED}
  ), matching AS MATERIALIZED (
    SELECT id
      FROM scanned
     WHERE (maintenances OR NOT $4::boolean) AND (detail = 'all' OR $5::boolean)
       AND ($6::uuid[] IS NULL OR monitor_ids IS NULL OR monitor_ids && $6)
     LIMIT $7
  )
  SELECT ARRAY(SELECT id FROM matching) AS ids,
         CASE WHEN (SELECT count(*) FROM matching) >= $7 THEN (SELECT id FROM matching ORDER BY id DESC LIMIT 1)
              WHEN (SELECT count(*) FROM scanned) >= ${SCANNED} THEN (SELECT id FROM scanned ORDER BY id DESC LIMIT 1)
         END AS last`;

function valuesOf(
  { organization_id, page, is_maintenance, is_edge }: Audience,
  after: string | null,
  limit: number,
): unknown[] {
  return [organization_id, page.id, after, is_maintenance, is_edge, page.monitor_ids, limit];
}

/** Statements of {@link RecipientsService}. A delivery identifies its subscriber, so these need no organization. */
@Injectable()
export class RecipientsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the subscribers with these IDs that still exist, of any status, in any order. */
  async find(ids: string[]): Promise<Recipient[]> {
    return this.runner.read<Recipient>(
      `SELECT ${RECIPIENT_COLUMNS} FROM subscribers WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  }

  /**
   * Returns the IDs of active subscribers of a page in ascending order, at most `limit`. Looks at some thousand of them. Uses
   * `subscribers_recipients_idx`.
   * @param after the ID after which they begin; null: the first ones
   * @returns `last`: the ID after which there can be further ones; null: there are none
   */
  async matching(
    audience: Audience,
    after: string | null,
    limit: number,
    manager: EntityManager,
  ): Promise<{ ids: string[]; last: string | null }> {
    const values = valuesOf(audience, after, limit);
    const [row] = await this.runner.query<{ ids: string[]; last: string | null }>(MATCHING, values, manager);
    return row ?? { ids: [], last: null };
  }

  /** Returns the number of the IDs that {@link matching} returns, by the same statement. */
  async countMatching(
    audience: Audience,
    after: string | null,
    limit: number,
    manager: EntityManager,
  ): Promise<{ count: number; last: string | null }> {
    const [row] = await this.runner.query<{ count: number; last: string | null }>(
      `SELECT cardinality(ids) AS count, last FROM (${MATCHING}) AS matching`,
      valuesOf(audience, after, limit),
      manager,
    );
    return row ?? { count: 0, last: null };
  }

  /** Records that mail was delivered to these subscribers. Earlier rejections no longer count. */
  async delivered(ids: string[]): Promise<void> {
    await this.runner.queryLocked(
      {
        text: 'SELECT FROM subscribers WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
        values: [ids],
      },
      {
        text: `UPDATE subscribers
                  SET last_sent_at = clock_timestamp(), last_bounced_at = ${BOUNCE_AFTER_DELIVERY},
                      updated_at = ${NEXT_VERSION}
                WHERE id = ANY($1::uuid[])`,
        values: [ids],
      },
    );
  }

  /**
   * Records a permanent refusal of a mail server. The second one in a row, on another day (UTC), suppresses the subscriber.
   * @param isFinal the address does not exist; suppresses at once
   */
  async refused(id: string, isFinal: boolean): Promise<void> {
    const suppresses = `($2::boolean OR ${BOUNCED_EARLIER})`;
    await this.runner.queryLocked(
      { text: 'SELECT FROM subscribers WHERE id = $1 FOR NO KEY UPDATE', values: [id] },
      {
        text: `UPDATE subscribers
                  SET status = CASE WHEN ${suppresses} THEN 'suppressed' ELSE status END,
                      suppressed_reason = CASE WHEN ${suppresses} THEN 'bounced' END,
                      is_lifted_by_delivery = NOT $2::boolean,
                      last_bounced_at = clock_timestamp(), bounce_is_reported = false, updated_at = ${NEXT_VERSION}
                WHERE id = $1 AND status <> 'suppressed'`,
        values: [id, isFinal],
      },
    );
  }
}
