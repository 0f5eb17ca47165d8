import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OF_PROJECT, projectParameters } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { PagesCleanup } from '../status-pages/deleted/pages-cleanup.js';
import { OF_PAGE } from '../status-pages/page-ref.js';

/**
 * Removes deleted monitors from subscriptions, and deletes the subscribers of pages that can no longer be restored, and the hashes
 * of erased addresses.
 */
@Injectable()
export class SubscriptionReferencesRepository implements OnModuleInit {
  constructor(
    private readonly runner: StatementRunner,
    private readonly monitors: MonitorsService,
    private readonly cleanup: PagesCleanup,
  ) {}

  onModuleInit(): void {
    this.monitors.onDelete((monitor, manager) => this.removeMonitor(monitor, manager));
    this.cleanup.onRemove((page, limit) => this.deleteOfPage('subscribers', 'id', page, limit));
    this.cleanup.onRemove((page, limit) =>
      this.deleteOfPage('erased_subscribers', 'email_hash', page, limit),
    );
  }

  /**
   * Removes a monitor. A subscription to this monitor only ends, because it would otherwise be about all monitors. Uses
   * `subscribers_monitor_ids_idx`.
   */
  private async removeMonitor(monitor: ProjectRef & { id: string }, manager: EntityManager): Promise<void> {
    const rows = await this.runner.query<{ id: string; is_last: boolean }>(
      `SELECT id, cardinality(monitor_ids) = 1 AS is_last
         FROM subscribers
        WHERE ${OF_PROJECT} AND monitor_ids @> ARRAY[$3::uuid]
        ORDER BY id
          FOR UPDATE`,
      [...projectParameters(monitor), monitor.id],
      manager,
    );
    const idsOf = (isLast: boolean) => rows.filter(({ is_last }) => is_last === isLast).map(({ id }) => id);
    await this.runner.query(
      'DELETE FROM subscribers WHERE organization_id = $1 AND id = ANY($2::uuid[])',
      [monitor.organization_id, idsOf(true)],
      manager,
    );
    await this.runner.query(
      `UPDATE subscribers
          SET monitor_ids = array_remove(monitor_ids, $3::uuid), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [monitor.organization_id, idsOf(false), monitor.id],
      manager,
    );
  }

  /** Returns whether rows may be left. */
  private async deleteOfPage(
    table: string,
    column: string,
    { organization_id, id }: { organization_id: string; id: string },
    limit: number,
  ): Promise<boolean> {
    const rows = await this.runner.query(
      `DELETE FROM ${table}
        WHERE ${OF_PAGE} AND ${column} IN (SELECT ${column} FROM ${table} WHERE ${OF_PAGE} LIMIT $3)
       RETURNING status_page_id`,
      [organization_id, id, limit],
    );
    return rows.length >= limit;
  }
}
