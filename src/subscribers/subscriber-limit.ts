import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Env } from '../platform/config/env.js';
import type { PageRef, ProjectPageRef } from '../status-pages/page-ref.js';

/** Limits the subscribers of each status page to `MAX_SUBSCRIBERS`. All subscribers count, of any status. */
@Injectable()
export class SubscriberLimit {
  constructor(private readonly env: Env) {}

  /** Maximum number of subscribers of a status page. */
  get maximum(): number {
    return this.env.MAX_SUBSCRIBERS;
  }

  /**
   * Locks a page before subscribers are added to it, so that {@link room} stays correct until the transaction ends. Blocks only
   * updates of the page. Take it after the locks of addresses and monitors, and before locks of subscribers.
   * @returns false if the project has no such page
   */
  async lockPage(
    { organization_id, project_id, status_page_id }: ProjectPageRef,
    manager: EntityManager,
  ): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'SELECT FROM status_pages WHERE organization_id = $1 AND project_id = $2 AND id = $3 FOR NO KEY UPDATE',
      [organization_id, project_id, status_page_id],
    );
    return rows.length > 0;
  }

  /**
   * Returns the number of subscribers that can be added to a locked page. Reads only `subscribers_list_idx`, at most as many
   * entries as the limit.
   */
  async room({ organization_id, status_page_id }: PageRef, manager: EntityManager): Promise<number> {
    const [row]: { count: number }[] = await manager.query(
      `SELECT count(*)::integer AS count
         FROM (
                SELECT FROM subscribers WHERE organization_id = $1 AND status_page_id = $2 LIMIT $3
              ) AS existing`,
      [organization_id, status_page_id, this.maximum],
    );
    return this.maximum - (row?.count ?? 0);
  }
}
