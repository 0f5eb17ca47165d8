import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CurrentApiKey } from '../auth/actor.js';
import { StatementRunner } from '../database/statement-runner.js';
import type { IdempotencyKey } from './idempotency-key.entity.js';

/** Number of hours for which a response is replayed. */
export const KEPT_HOURS = 24;

const IS_KEPT = `created_at > now() - interval '${KEPT_HOURS} hours'`;
const OWN = 'organization_id = $1 AND api_key_id = $2 AND key = $3';

/** Identity of an idempotent request: an `Idempotency-Key` of an API key and its successors. */
export interface KeyRef {
  api_key: Pick<CurrentApiKey, 'lineage' | 'organization_id'>;
  key: string;
}

/** A stored response, and the fingerprint of its request. */
export type StoredRow = Pick<IdempotencyKey, 'fingerprint' | 'status' | 'headers' | 'body'>;

/** Reads and writes the table `idempotency_keys`. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the response to an earlier request with this key. */
  async findKept(ref: KeyRef, manager?: EntityManager): Promise<StoredRow | undefined> {
    const rows = await this.runner.read<StoredRow>(
      `SELECT fingerprint, status, headers, body FROM idempotency_keys WHERE ${OWN} AND ${IS_KEPT}`,
      own(ref),
      manager,
    );
    return rows[0];
  }

  /**
   * Locks a key, which need not exist yet, until the transaction ends. Does not wait: returns false if another transaction
   * holds the lock. In the embedded PostgreSQL, whose connections share one session, each transaction gets the lock, because
   * transactions run one at a time.
   */
  async tryLock({ api_key, key }: KeyRef, manager: EntityManager): Promise<boolean> {
    const rows = await this.runner.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked`,
      [`idempotency ${api_key.lineage} ${key}`],
      manager,
    );
    return rows[0]?.locked ?? false;
  }

  /**
   * Stores the first response to a request. Replaces a response that is older than a day.
   * @returns false if another process has stored a response in the meantime
   */
  async store(
    ref: KeyRef,
    { fingerprint, status, headers, body }: StoredRow,
    manager?: EntityManager,
  ): Promise<boolean> {
    const rows = await this.runner.query(
      `INSERT INTO idempotency_keys AS old (organization_id, api_key_id, key, fingerprint, status, headers, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (organization_id, api_key_id, key) DO UPDATE
          SET fingerprint = $4, status = $5, headers = $6, body = $7, created_at = now()
        WHERE NOT old.${IS_KEPT}
       RETURNING status`,
      [...own(ref), fingerprint, status, JSON.stringify(headers), body],
      manager,
    );
    return rows.length > 0;
  }

  /**
   * Deletes the oldest bodies of an organization, at most `limit`, until the rest has at most `bytes` in total. Keeps the other
   * columns, so that repeated requests are recognized. Returns the number of rows.
   */
  async dropOldest(organizationId: string, bytes: number, limit: number): Promise<number> {
    const rows = await this.runner.query(
      `WITH sums AS (
         SELECT created_at, sum(octet_length(body)) OVER (ORDER BY created_at DESC ROWS UNBOUNDED PRECEDING) AS bytes
           FROM idempotency_keys
          WHERE organization_id = $1 AND body <> ''
       ), full_at AS (
         SELECT created_at FROM sums WHERE bytes > $2 LIMIT 1
       )
       UPDATE idempotency_keys
          SET body = ''
        WHERE organization_id = $1
          AND ctid = ANY (ARRAY (SELECT old.ctid
                                   FROM idempotency_keys AS old
                                  WHERE organization_id = $1 AND body <> '' AND created_at <= (SELECT created_at FROM full_at)
                                  ORDER BY created_at
                                  LIMIT $3
                                    FOR UPDATE SKIP LOCKED))
       RETURNING organization_id`,
      [organizationId, bytes, limit],
    );
    return rows.length;
  }

  /** Deletes up to `limit` responses that are no longer replayed. Returns the number of rows. */
  async deleteOld(limit: number): Promise<number> {
    // Of all organizations, because this is a job, not a request.
    const rows = await this.runner.query(
      `DELETE FROM idempotency_keys
        WHERE ctid = ANY (ARRAY (SELECT ctid FROM idempotency_keys WHERE NOT ${IS_KEPT} LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING organization_id`,
      [limit],
    );
    return rows.length;
  }
}

function own({ api_key, key }: KeyRef): string[] {
  return [api_key.organization_id, api_key.lineage, key];
}
