import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../../platform/auth/actor.js';
import { type ExpectedVersions } from '../../platform/database/versions.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type ListPage, readListPage } from '../../platform/pagination/list-page.js';
import { notFound, Problem } from '../../platform/problems/problem.js';
import { throwIfProjectIsMissing } from '../../projects/missing-project.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { DeletedPagesRepository, type RestorablePage } from './deleted-pages.repository.js';
import type { DeletedStatusPageDto, ListDeletedStatusPagesQuery } from './dto/deleted-status-page.dto.js';
import type { RestoreStatusPageDto } from '../revisions/dto/restore.dto.js';
import { REVISED_FIELDS } from '../revisions/dto/revision.dto.js';
import type { StatusPageDto } from '../dto/status-page.dto.js';
import { monitorIdsOf, withoutMissing } from '../revisions/restored-sections.js';
import type { Restored } from '../revisions/revisions.service.js';
import { StatusPagesService } from '../status-pages.service.js';
import { UniqueValues } from '../unique-values.js';
import {
  type LockedStatusPage,
  type StatusPagePatch,
  StatusPagesRepository,
} from '../status-pages.repository.js';

const RESTORABLE_DAYS = 30;

/**
 * Resources of another module that reference status pages, or belong to them. Both functions run in the caller's transaction, in
 * which the page is locked.
 */
export interface PageReferences {
  /** Key under which the deleted page stores the result of `remove`, such as `incidents`. */
  kind: string;
  /**
   * Removes the references to a page that is being deleted. Returns what `add` needs: the IDs of the resources that referenced
   * it, or the contents of rows that are deleted with it.
   */
  remove: (page: LockedStatusPage, manager: EntityManager) => Promise<string[]>;
  /** Adds a restored page again to the resources that still exist, or inserts the rows that were deleted with it. */
  add: (page: LockedStatusPage, removed: string[], manager: EntityManager) => Promise<void>;
}

/** Deletes, lists and restores status pages. */
@Injectable()
export class DeletedPagesService {
  private readonly naming: PageReferences[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: DeletedPagesRepository,
    private readonly pages: StatusPagesRepository,
    private readonly statusPages: StatusPagesService,
    private readonly unique: UniqueValues,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
  ) {}

  /** Registers resources of another module that reference status pages. */
  register(resources: PageReferences): void {
    this.naming.push(resources);
  }

  /**
   * Deletes a page and removes all references to it, in one transaction. The page can be restored for 30 days.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const page = await this.statusPages.lockOwn(actor, id, expected, manager);
      await this.deleteIn(actor, page, manager);
    });
  }

  /** Deletes a page that the transaction of `manager` has locked or created. */
  async deleteIn(actor: Actor, page: LockedStatusPage, manager: EntityManager): Promise<void> {
    const namedBy: Record<string, string[]> = {};
    for (const { kind, remove } of this.naming) namedBy[kind] = await remove(page, manager);
    await this.repository.deletePage(actor, page.id, { days: RESTORABLE_DAYS, namedBy }, manager);
  }

  /**
   * Lists the restorable deleted pages of a project, most recently deleted first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(actor: Actor, query: ListDeletedStatusPagesQuery): Promise<ListPage<DeletedStatusPageDto>> {
    const { project_id } = query;
    return readListPage({ name: 'deleted_status_pages', owner_id: project_id }, query, async (range) => {
      const project = await this.projects.require(actor, project_id); // rows outlive their project
      return this.repository.findNewest(project, range);
    });
  }

  /**
   * Restores a deleted page without the monitors that no longer exist. Re-adds the page to the incidents and maintenance
   * windows that referenced it.
   * @param values a slug and a domain that replace the former ones
   * @throws Problem 404 `not_found`; 409 `conflict` if the page is not deleted, or if another page now uses the slug or domain
   */
  async restore(actor: Actor, id: string, values: RestoreStatusPageDto): Promise<Restored<StatusPageDto>> {
    const deleted = await this.repository.findRestorable(actor, id);
    if (!deleted) return this.throwNotRestorable(actor, id);
    return this.dataSource.transaction((manager) => this.restoreIn(actor, deleted, values, manager));
  }

  private async restoreIn(
    actor: Actor,
    deleted: RestorablePage,
    values: RestoreStatusPageDto,
    manager: EntityManager,
  ): Promise<Restored<StatusPageDto>> {
    const { id, organization_id, project_id, page, named_by } = deleted;
    const own = { id, organization_id, project_id };
    const known = await this.monitors.lockExisting(own, monitorIdsOf(page.sections), manager);
    const { sections, omitted_monitor_ids } = withoutMissing(page.sections, known);
    if (!(await this.repository.take(actor, id, manager))) return this.throwNotRestorable(actor, id, manager);
    const fields: StatusPagePatch = { ...fieldsOf(page), ...values, sections };
    const row = {
      ...own,
      ...fields,
      created_at: new Date(page.created_at),
      updated_at: new Date(Math.max(Date.now(), deleted.deleted_at.getTime() + 1)),
      revision: deleted.revision + 1,
    };
    if (fields.custom_domain) await this.unique.throwIfTaken(null, organization_id, fields, manager);
    const change = { operation: 'restore', actor } as const;
    const data = await this.pages
      .insertUnlessTaken(row, change, manager, replacedBy(fields, page))
      .catch(throwIfProjectIsMissing);
    if (!data) {
      await this.unique.throwIfTaken(null, organization_id, fields, manager);
      throw new Problem('conflict', {
        detail: 'A concurrent request took the slug or the custom domain. Repeat the request.',
      });
    }
    for (const { kind, add } of this.naming) await add(own, named_by[kind] ?? [], manager);
    return { data, omitted_monitor_ids };
  }

  /** @throws Problem 409 `conflict` if the page exists, otherwise 404 `not_found` */
  private async throwNotRestorable(actor: Actor, id: string, manager?: EntityManager): Promise<never> {
    if (!(await this.pages.findOwn(actor, id, manager))) throw notFound('status page');
    throw new Problem('conflict', { detail: 'The status page is not deleted' });
  }
}

/** Returns the fields of a page that clients can write. */
function fieldsOf(page: RestorablePage['page']): StatusPagePatch {
  return Object.fromEntries(REVISED_FIELDS.map((field) => [field, page[field]]));
}

/** Returns the values of a deleted page that differ from the restored page. */
function replacedBy(restored: StatusPagePatch, page: RestorablePage['page']): StatusPagePatch {
  const changed = REVISED_FIELDS.filter(
    (field) => JSON.stringify(restored[field]) !== JSON.stringify(page[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, page[field]]));
}
