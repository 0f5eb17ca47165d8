import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Actor, ActorAccess } from '../../platform/auth/actor.js';
import type { Range, Rows } from '../../platform/database/keyset.js';
import { OWN, ownRowParameters, projectParameters } from '../../platform/database/own-rows.js';
import { ResourceTable } from '../../platform/database/resource-table.js';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../../platform/database/statements.js';
import { insertPageEvents } from '../../events/event-statements.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { DeletedStatusPageDto } from './dto/deleted-status-page.dto.js';
import { DeletedStatusPage } from './deleted-status-page.entity.js';
import type { RevisedFieldsDto } from '../revisions/dto/revision.dto.js';
import { changeParameters, insertRevisions } from '../revision-statements.js';
import type { StatusPage } from '../status-page.entity.js';
import { StatusPagesRepository } from '../status-pages.repository.js';

/** A deleted page that can be restored. */
export interface RestorablePage extends Pick<
  DeletedStatusPage,
  'id' | 'organization_id' | 'project_id' | 'revision' | 'named_by' | 'deleted_at'
> {
  /** Columns added after the deletion are missing. */
  page: RevisedFieldsDto & Pick<StatusPage, 'sections'> & { created_at: string };
}

const RESTORABLE = `${OWN} AND restorable_until > now()`;

/** Reads and writes the table `deleted_status_pages`. */
@Injectable()
export class DeletedPagesRepository {
  private readonly table: ResourceTable<DeletedStatusPage, DeletedStatusPageDto>;

  constructor(
    @InjectRepository(DeletedStatusPage) repository: Repository<DeletedStatusPage>,
    private readonly runner: StatementRunner,
    private readonly pages: StatusPagesRepository,
  ) {
    const fields = ['id', 'name', 'slug', 'project_id', 'deleted_at', 'restorable_until'] as const;
    this.table = new ResourceTable(repository, runner, fields);
  }

  /** Returns the deleted pages of a project, most recently deleted first. Uses `deleted_status_pages_list_idx`. */
  async findNewest(project: ProjectRef, range: Range): Promise<Rows<DeletedStatusPageDto>> {
    const after = range.after ? 'AND (deleted_at, id) < ($4::timestamptz, $5::uuid)' : '';
    return this.table.listBy(
      `SELECT ${this.table.columns}, deleted_at AS created_at
         FROM deleted_status_pages
        WHERE organization_id = $1 AND project_id = $2 AND restorable_until > now() ${after}
        ORDER BY deleted_at DESC, id DESC
        LIMIT $3::int + 1`,
      projectParameters(project),
      range,
    );
  }

  /**
   * Deletes a locked page, writes its last revision, and stores the page for a restore.
   * @param namedBy the resources that referenced the page, by kind
   */
  async deletePage(
    actor: Actor,
    id: string,
    { days, namedBy }: { days: number; namedBy: object },
    manager: EntityManager,
  ): Promise<void> {
    const parameters = [
      ...ownRowParameters(actor, id),
      ...changeParameters({ operation: 'delete', actor }),
      JSON.stringify(namedBy),
      days,
    ];
    await this.runner.query(
      `WITH gone AS (
         DELETE FROM status_pages
          WHERE ${OWN}
         RETURNING ${this.pages.table.columns}, organization_id, revision
       ), deleted AS (
         SELECT ${this.pages.table.columns}, organization_id, revision + 1 AS next_revision, ${NEXT_VERSION} AS deleted_at FROM gone
       ), kept AS (
         INSERT INTO deleted_status_pages (id, organization_id, project_id, name, slug, revision, page, named_by, deleted_at,
                                           restorable_until)
         SELECT id, organization_id, project_id, name, slug, next_revision, ${this.pages.table.json}::jsonb, $10::jsonb, deleted_at,
                deleted_at + make_interval(days => $11)
           FROM deleted
       ), last AS (
         SELECT organization_id, project_id, id, name, next_revision AS revision, deleted_at AS updated_at FROM deleted
       ), revision AS (${insertRevisions(
         'last',
         { changed_fields: `'{}'`, before: `'{}'` },
         4,
       )}), event AS (${insertPageEvents('last', 'status_page.deleted', 5, ['revision', 'name'])})
       SELECT id FROM deleted`,
      parameters,
      manager,
    );
  }

  async findRestorable(access: ActorAccess, id: string): Promise<RestorablePage | undefined> {
    const [page] = await this.runner.read<RestorablePage>(
      `SELECT id, organization_id, project_id, revision, page, named_by, deleted_at
         FROM deleted_status_pages
        WHERE ${RESTORABLE}`,
      ownRowParameters(access, id),
    );
    return page;
  }

  /** Deletes the row of a page that is being restored. Returns false if another request has deleted it. */
  async take(access: ActorAccess, id: string, manager: EntityManager): Promise<boolean> {
    const rows = await this.runner.query(
      `DELETE FROM deleted_status_pages WHERE ${RESTORABLE} RETURNING id`,
      ownRowParameters(access, id),
      manager,
    );
    return rows.length > 0;
  }

  /**
   * Returns at most `limit` pages of any organization that can no longer be restored, because they are too old or their project
   * is deleted. Scans the table, which is small because it contains only recent pages.
   */
  async findOutdated(limit: number): Promise<{ organization_id: string; id: string }[]> {
    return this.runner.read(
      `SELECT organization_id, id
         FROM deleted_status_pages AS page
        WHERE restorable_until <= now()
           OR NOT EXISTS (
                SELECT FROM projects WHERE organization_id = page.organization_id AND id = page.project_id
              )
        LIMIT $1`,
      [limit],
    );
  }

  /**
   * Deletes revisions of a page from {@link findOutdated}, and the page itself with its last revisions. At most `limit`
   * revisions. Does nothing if another process is deleting the same page.
   * @returns whether revisions may be left
   */
  async deleteOutdated(id: string, limit: number): Promise<boolean> {
    const [row] = await this.runner.query<{ count: number }>(
      `WITH page AS (
         SELECT id FROM deleted_status_pages WHERE id = $1 FOR UPDATE SKIP LOCKED
       ), batch AS (
         SELECT number FROM status_page_revisions WHERE status_page_id = (SELECT id FROM page) ORDER BY number LIMIT $2
       ), revisions AS (
         DELETE FROM status_page_revisions
          WHERE status_page_id = (SELECT id FROM page) AND number IN (SELECT number FROM batch)
         RETURNING 1
       ), last AS (
         DELETE FROM deleted_status_pages
          WHERE id = (SELECT id FROM page) AND (SELECT count(*) FROM batch) < $2
       )
       SELECT count(*)::integer AS count FROM revisions`,
      [id, limit],
    );
    return (row?.count ?? 0) >= limit;
  }
}
