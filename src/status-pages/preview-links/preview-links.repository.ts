import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import { OF_PAGE, type PageRef } from '../page-ref.js';

/** Reads and writes the table `preview_links`. Uses the database clock, which all processes share. */
@Injectable()
export class PreviewLinksRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Inserts a link that expires after `hours`. Returns its expiry. */
  async insert(
    { organization_id, status_page_id }: PageRef,
    tokenHash: Buffer,
    hours: number,
    manager: EntityManager,
  ): Promise<Date | undefined> {
    const rows = await this.runner.query<{ expires_at: Date }>(
      `INSERT INTO preview_links (organization_id, status_page_id, token_hash, created_at, expires_at)
       VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(hours => $4))
       RETURNING expires_at`,
      [organization_id, status_page_id, tokenHash, hours],
      manager,
    );
    return rows[0]?.expires_at;
  }

  /** Deletes the expired links of a page, and all but the newest `kept`. Locks in the order of hashes to avoid deadlocks. */
  async deleteOld(
    { organization_id, status_page_id }: PageRef,
    kept: number,
    manager: EntityManager,
  ): Promise<void> {
    const ofPage = [organization_id, status_page_id];
    await this.runner.query(
      `SELECT FROM preview_links WHERE ${OF_PAGE} ORDER BY token_hash FOR UPDATE`,
      ofPage,
      manager,
    );
    await this.runner.query(
      `DELETE FROM preview_links
        WHERE ${OF_PAGE}
          AND (expires_at <= clock_timestamp() OR token_hash IN (
                SELECT token_hash
                  FROM preview_links
                 WHERE ${OF_PAGE}
                 ORDER BY created_at DESC, token_hash
                OFFSET $3
              ))`,
      [...ofPage, kept],
      manager,
    );
  }

  /** Returns the page of an unexpired link. Requires no organization, because the token identifies the page. */
  async findPage(tokenHash: Buffer): Promise<PageRef | undefined> {
    const [page] = await this.runner.read<PageRef>(
      `SELECT organization_id, status_page_id
         FROM preview_links
        WHERE token_hash = $1 AND expires_at > clock_timestamp()`,
      [tokenHash],
    );
    return page;
  }
}
