import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { insertPageEvents } from '../events/page-events.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { changeParameters, DELETED_AT_ONCE, insertRevisions, MAX_REVISIONS } from './revision-statements.js';

/** Number of pages per transaction. Updates of these pages wait for it. */
const BATCH_SIZE = 100;
/**
 * Maximum number of pages that one statement finds. Each statement reads the pages of earlier batches again until they are
 * vacuumed.
 */
const FOUND_AT_ONCE = 10_000;

export interface RemovedMonitor {
  id: string;
  organization_id: string;
  project_id: string;
}

/** Runs in the transaction that removes a monitor from locked pages. */
export type RemovalListener = (
  monitor: RemovedMonitor,
  pageIds: string[],
  manager: EntityManager,
) => Promise<void>;

/** Removes a monitor from the sections of the pages that show it. */
@Injectable()
export class MonitorRemoval {
  private readonly listeners: RemovalListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
  ) {}

  /** Registers a listener of another module. */
  onRemove(listener: RemovalListener): void {
    this.listeners.push(listener);
  }

  /**
   * Prepares the deletion of a monitor that is on many pages. Removes it in short transactions from all pages except the last
   * few, which {@link remove} changes. Clients can still add the monitor to pages in the meantime. After a failure, a repeated
   * call continues where the last one stopped.
   */
  async prepare(monitor: RemovedMonitor, actor: Actor): Promise<void> {
    for (;;) {
      const ids = await this.findShowing(monitor);
      if (ids.length <= BATCH_SIZE) return;
      for (let start = 0; start < ids.length; start += BATCH_SIZE) {
        const batch = ids.slice(start, start + BATCH_SIZE);
        await this.dataSource.transaction((manager) => this.remove(monitor, actor, manager, batch));
      }
    }
  }

  /** Returns at most {@link FOUND_AT_ONCE} pages that show a monitor. Uses `status_pages_sections_idx`. */
  private async findShowing({ id, organization_id, project_id }: RemovedMonitor): Promise<string[]> {
    // Not `read`, because a replica may lag behind the last batches.
    const pages = await this.runner.query<{ id: string }>(
      `SELECT id
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
        LIMIT ${FOUND_AT_ONCE}`,
      [organization_id, project_id, sectionsWith(id)],
    );
    return pages.map((page) => page.id);
  }

  /**
   * Removes a monitor from all sections of its project, and writes a revision for each changed page.
   * @param batch if given, changes only these pages
   */
  async remove(
    monitor: RemovedMonitor,
    actor: Actor,
    manager: EntityManager,
    batch?: string[],
  ): Promise<void> {
    const ids = await this.lockShowing(monitor, manager, batch);
    if (ids.length === 0) return;
    for (const listener of this.listeners) await listener(monitor, ids, manager);
    const { id, organization_id, project_id } = monitor;
    await manager.query(
      `WITH showing AS (
         SELECT id AS old_id, sections AS old_sections
           FROM status_pages
          WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[])
       ), changed AS (
         UPDATE status_pages
            SET sections = (
                  SELECT jsonb_agg(jsonb_set(section, '{monitor_ids}', (section -> 'monitor_ids') - $4::text) ORDER BY place)
                    FROM jsonb_array_elements(sections) WITH ORDINALITY AS one (section, place)
                ),
                revision = revision + 1,
                updated_at = ${NEXT_VERSION}
           FROM showing
          WHERE organization_id = $1 AND project_id = $2 AND id = old_id
         RETURNING organization_id, project_id, id, revision, updated_at, old_sections
       ), revisions AS (${insertRevisions(
         'changed',
         { changed_fields: `'{sections}'`, before: `jsonb_build_object('sections', old_sections)` },
         5,
       )}), events_of_pages AS (${insertPageEvents('changed', 'status_page.updated', 6)}
       ), outdated AS (
         DELETE FROM status_page_revisions AS old
          USING changed
          WHERE old.organization_id = $1 AND old.status_page_id = changed.id
            AND changed.revision % ${DELETED_AT_ONCE} = 0 AND old.number <= changed.revision - ${MAX_REVISIONS}
       )
       SELECT count(*) FROM changed`,
      [organization_id, project_id, ids, id, ...changeParameters({ operation: 'delete_monitor', actor })],
    );
  }

  /**
   * Locks the pages that show a monitor, in ID order to avoid a deadlock with the deletion of another monitor. Uses
   * `status_pages_sections_idx`.
   */
  private async lockShowing(
    { id, organization_id, project_id }: RemovedMonitor,
    manager: EntityManager,
    batch?: string[],
  ): Promise<string[]> {
    const locked: { id: string }[] = await manager.query(
      `SELECT id
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
              ${batch ? 'AND id = ANY($4::uuid[])' : ''}
        ORDER BY id
          FOR NO KEY UPDATE`,
      [organization_id, project_id, sectionsWith(id), ...(batch ? [batch] : [])],
    );
    return locked.map((page) => page.id);
  }
}

/** Returns JSON that the sections of a page contain (`@>`) if one of them shows the monitor. */
const sectionsWith = (id: string) => JSON.stringify([{ monitor_ids: [id] }]);
