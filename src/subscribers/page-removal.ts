import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { PagesCleanup } from '../status-pages/deleted/pages-cleanup.js';

/** Deletes the subscribers of pages that can no longer be restored, and the hashes of erased addresses. */
@Injectable()
export class SubscriptionPageRemoval implements OnModuleInit {
  constructor(
    private readonly cleanup: PagesCleanup,
    private readonly runner: StatementRunner,
  ) {}

  onModuleInit(): void {
    this.cleanup.onRemove((page, limit) => this.delete('subscribers', 'id', page, limit));
    this.cleanup.onRemove((page, limit) => this.delete('erased_subscribers', 'email_hash', page, limit));
  }

  /** Returns whether rows may be left. */
  private async delete(
    table: string,
    column: string,
    { organization_id, id }: { organization_id: string; id: string },
    limit: number,
  ): Promise<boolean> {
    const rows = await this.runner.query(
      `DELETE FROM ${table}
        WHERE organization_id = $1 AND status_page_id = $2 AND ${column} IN (
                SELECT ${column} FROM ${table} WHERE organization_id = $1 AND status_page_id = $2 LIMIT $3)
       RETURNING status_page_id`,
      [organization_id, id, limit],
    );
    return rows.length >= limit;
  }
}
