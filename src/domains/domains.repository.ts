import { Injectable } from '@nestjs/common';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { KnownDomain } from './domain-map.js';

/** A domain that has changed; its page is null if it is no longer served. */
export type ChangedDomain = KnownDomain | { domain: string; page_id: null; slug: null; is_public: null };

/** Reads and writes the table `status_page_domains`. */
@Injectable()
export class DomainsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Returns the verified domains of all organizations in alphabetical order. Not limited to an organization, because visitors do not
   * belong to one.
   * @param after the domain after which they begin
   */
  async findServed(after: string, limit: number): Promise<KnownDomain[]> {
    return this.runner.read<KnownDomain>(
      `SELECT claim.domain, page.id AS page_id, page.slug, page.is_public
         FROM status_page_domains AS claim
         JOIN status_pages AS page
           ON page.organization_id = claim.organization_id AND page.id = claim.status_page_id
        WHERE claim.status = 'verified' AND claim.domain > $1
        ORDER BY claim.domain
        LIMIT $2`,
      [after, limit],
    );
  }

  /** Returns the domains of all organizations that have changed in the last seconds, newest first, at most `limit`. */
  async findChanged(seconds: number, limit: number): Promise<ChangedDomain[]> {
    return this.runner.read<ChangedDomain>(
      `SELECT change.domain, page.id AS page_id, page.slug, page.is_public
         FROM domain_changes AS change
         LEFT JOIN status_page_domains AS claim ON claim.domain = change.domain AND claim.status = 'verified'
         LEFT JOIN status_pages AS page
                ON page.organization_id = claim.organization_id AND page.id = claim.status_page_id
        WHERE change.changed_at > clock_timestamp() - make_interval(secs => $1)
        ORDER BY change.changed_at DESC
        LIMIT $2`,
      [seconds, limit],
    );
  }
}
