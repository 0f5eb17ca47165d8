import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { insertPageEvents } from '../events/event-statements.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { RemovedMonitor } from './monitor-removal.js';
import { changeParameters, DELETED_AT_ONCE, insertRevisions, MAX_REVISIONS } from './revision-statements.js';

/**
 * Maximum number of pages that one statement finds. Each statement reads the pages of earlier batches again until they are
 * vacuumed.
 */
const FOUND_AT_ONCE = 10_000;

/** Finds and changes the pages that show a monitor. */
@Injectable()
export class MonitorRemovalRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns at most {@link FOUND_AT_ONCE} pages that show a monitor. Uses `status_pages_sections_idx`. */
  async findShowing({ id, organization_id, project_id }: RemovedMonitor): Promise<string[]> {
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
   * Locks the pages that show a monitor, in ID order to avoid a deadlock with the deletion of another monitor. Uses
   * `status_pages_sections_idx`.
   */
  async lockShowing(
    { id, organization_id, project_id }: RemovedMonitor,
    manager: EntityManager,
    batch?: string[],
  ): Promise<string[]> {
    const locked = await this.runner.query<{ id: string }>(
      `SELECT id
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
              ${batch ? 'AND id = ANY($4::uuid[])' : ''}
        ORDER BY id
          FOR NO KEY UPDATE`,
      [organization_id, project_id, sectionsWith(id), ...(batch ? [batch] : [])],
      manager,
    );
    return locked.map((page) => page.id);
  }

  /** Removes a monitor from locked pages, and writes their revisions and events. */
  async remove(
    { id, organization_id, project_id }: RemovedMonitor,
    pageIds: string[],
    actor: Actor,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
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
      [organization_id, project_id, pageIds, id, ...changeParameters({ operation: 'delete_monitor', actor })],
      manager,
    );
  }
}

/** Returns JSON that the sections of a page contain (`@>`) if one of them shows the monitor. */
const sectionsWith = (id: string) => JSON.stringify([{ monitor_ids: [id] }]);
