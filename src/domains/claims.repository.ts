import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { StatusPageDomain } from './status-page-domain.entity.js';
import { OF_PAGE } from '../status-pages/page-ref.js';

/** Time for which a due claim belongs to the process that checks it. */
const LEASE = `interval '2 minutes'`;

/** A claim, as the API shows it. */
export type Claim = Omit<StatusPageDomain, 'claimed_at' | 'status_page'>;

/** A claim that is being checked, and when the check began. */
export type CheckedClaim = Pick<
  StatusPageDomain,
  'organization_id' | 'status_page_id' | 'domain' | 'claimed_at'
> & { now: Date };

/** A claim that is locked for the result of a check. */
export type LockedClaim = Pick<
  StatusPageDomain,
  | 'organization_id'
  | 'status_page_id'
  | 'domain'
  | 'status'
  | 'claimed_at'
  | 'checked_at'
  | 'verified_at'
  | 'missing_since'
>;

/** Columns that a check writes. */
export type CheckedColumns = Pick<
  StatusPageDomain,
  'status' | 'found' | 'error' | 'checked_at' | 'verified_at' | 'missing_since'
> & {
  /** Seconds until the next check. */
  next_in: number;
  /** undefined: not checked. */
  routing: StatusPageDomain['routing'] | undefined;
};

const LOCKED = `organization_id, status_page_id, domain, status, claimed_at, checked_at, verified_at, missing_since`;
/** Reads and writes the table `status_page_domains`, whose rows triggers insert and delete. */
@Injectable()
export class ClaimsRepository {
  constructor(private readonly runner: StatementRunner) {}

  async find(organization_id: string, pageId: string): Promise<Claim | undefined> {
    const [claim] = await this.runner.read<Claim>(
      `SELECT organization_id, status_page_id, domain, status, found, error, routing, checked_at, verified_at,
              missing_since, next_check_at
         FROM status_page_domains
        WHERE ${OF_PAGE}`,
      [organization_id, pageId],
    );
    return claim;
  }

  /** Returns a claim whose check begins now. */
  async begin(organization_id: string, pageId: string): Promise<CheckedClaim | undefined> {
    const [claim] = await this.runner.read<CheckedClaim>(
      `SELECT organization_id, status_page_id, domain, claimed_at, clock_timestamp() AS now
         FROM status_page_domains
        WHERE ${OF_PAGE}`,
      [organization_id, pageId],
    );
    return claim;
  }

  /**
   * Returns claims that are due, and no others until the lease ends. The organizations share the limit. Not limited to an
   * organization, because it is periodic work.
   * @param limit maximum number of claims, at least 1
   * @param ofEach maximum number of claims of an organization, together with its running checks
   * @param running number of running checks by organization
   */
  async takeDue(
    { limit, ofEach, running }: { limit: number; ofEach: number; running: ReadonlyMap<string, number> },
    manager: EntityManager,
  ): Promise<CheckedClaim[]> {
    const claims = await this.runner.query<CheckedClaim>(
      `SELECT claim.*, clock_timestamp() AS now
         FROM (
                SELECT organization_id, $2 - coalesce(running, 0) AS free, count(*) OVER ()::int AS organizations
                  FROM (SELECT DISTINCT organization_id FROM status_page_domains WHERE next_check_at <= statement_timestamp()) AS due
                  LEFT JOIN unnest($3::uuid[], $4::int[]) AS busy (organization_id, running) USING (organization_id)
                 WHERE coalesce(running, 0) < $2
              ) AS waiting
        CROSS JOIN LATERAL (
                SELECT organization_id, status_page_id, domain, claimed_at
                  FROM status_page_domains
                 WHERE organization_id = waiting.organization_id AND next_check_at <= statement_timestamp()
                 ORDER BY next_check_at
                 LIMIT LEAST(free, GREATEST(1, $1 / organizations))
                   FOR NO KEY UPDATE SKIP LOCKED
              ) AS claim
        LIMIT $1`,
      [limit, ofEach, [...running.keys()], [...running.values()]],
      manager,
    );
    if (claims.length > 0)
      await this.runner.query(
        `UPDATE status_page_domains AS claim
            SET next_check_at = clock_timestamp() + ${LEASE}
           FROM unnest($1::uuid[], $2::uuid[]) AS taken (organization_id, status_page_id)
          WHERE claim.organization_id = taken.organization_id AND claim.status_page_id = taken.status_page_id`,
        [
          claims.map(({ organization_id }) => organization_id),
          claims.map(({ status_page_id }) => status_page_id),
        ],
        manager,
      );
    return claims;
  }

  /** Locks the claim of a page. */
  async lock(
    { organization_id, status_page_id }: CheckedClaim,
    manager: EntityManager,
  ): Promise<LockedClaim[]> {
    return this.runner.query<LockedClaim>(
      `SELECT ${LOCKED} FROM status_page_domains WHERE ${OF_PAGE} FOR NO KEY UPDATE`,
      [organization_id, status_page_id],
      manager,
    );
  }

  /**
   * Locks the claims of all organizations to a domain, in ID order to avoid deadlocks. Not limited to an organization, because only one
   * of them can hold the domain.
   */
  async lockAll(domain: string, manager: EntityManager): Promise<LockedClaim[]> {
    return this.runner.query<LockedClaim>(
      `SELECT ${LOCKED} FROM status_page_domains WHERE domain = $1 ORDER BY status_page_id FOR NO KEY UPDATE`,
      [domain],
      manager,
    );
  }

  /** Writes the result of checking a locked claim. */
  async write(
    { organization_id, status_page_id }: LockedClaim,
    columns: CheckedColumns,
    manager: EntityManager,
  ): Promise<void> {
    const { status, found, error, routing, checked_at, verified_at, missing_since, next_in } = columns;
    await this.runner.query(
      `UPDATE status_page_domains
          SET status = $3, found = $4, error = $5, routing = CASE WHEN $6 THEN $7::jsonb ELSE routing END,
              checked_at = $8, verified_at = $9, missing_since = $10,
              next_check_at = clock_timestamp() + make_interval(secs => $11)
        WHERE ${OF_PAGE}`,
      [
        organization_id,
        status_page_id,
        status,
        found,
        error,
        routing !== undefined,
        routing ? JSON.stringify(routing) : null,
        checked_at,
        verified_at,
        missing_since,
        next_in,
      ],
      manager,
    );
  }

  /** Ends a locked claim, because another page has proved that it may use the domain. */
  async lose({ organization_id, status_page_id }: LockedClaim, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE status_page_domains SET status = 'lost' WHERE ${OF_PAGE}`,
      [organization_id, status_page_id],
      manager,
    );
  }

  /**
   * Returns whether another page than `pageId`, of any organization, has verified a domain that `pageId` does not claim yet. Not
   * limited to an organization, because a verified domain is unique in the instance.
   */
  async isHeldByOthers(domain: string, pageId: string | null, manager: EntityManager): Promise<boolean> {
    const [row] = await this.runner.read<{ held: boolean }>(
      `SELECT EXISTS (SELECT FROM status_page_domains
                       WHERE domain = $1 AND status = 'verified' AND status_page_id IS DISTINCT FROM $2)
              AND NOT EXISTS (SELECT FROM status_page_domains WHERE domain = $1 AND status_page_id = $2) AS held`,
      [domain, pageId],
      manager,
    );
    return row?.held === true;
  }

  /** Deletes records of old changes of domains, at most `limit`. Returns their number. */
  async deleteOldChanges(limit: number): Promise<number> {
    const rows = await this.runner.query(
      `DELETE FROM domain_changes
        WHERE domain IN (SELECT domain FROM domain_changes
                          WHERE changed_at < clock_timestamp() - interval '1 day'
                          LIMIT $1)
          AND changed_at < clock_timestamp() - interval '1 day'
        RETURNING domain`,
      [limit],
    );
    return rows.length;
  }
}
