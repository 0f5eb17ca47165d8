import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CurrentApiKey } from '../../platform/auth/current-key.js';
import { type ExpectedVersions } from '../../platform/database/versions.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type ListPage, resolveCursor, toListPage } from '../../platform/pagination/list-page.js';
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
  type OwnStatusPage,
  type StatusPagePatch,
  StatusPagesRepository,
} from '../status-pages.repository.js';

const RESTORABLE_DAYS = 30;

/** Resources of another module that name status pages. Both functions run in the transaction; the page is locked. */
export interface PageReferences {
  /** The key of their ids with the deleted page, such as `incidents`. */
  kind: string;
  /** Removes a page that is deleted from all of them. Returns the ids of those that named it. */
  remove: (page: OwnStatusPage, manager: EntityManager) => Promise<string[]>;
  /** Adds a restored page again to those that still exist. */
  add: (page: OwnStatusPage, ids: string[], manager: EntityManager) => Promise<void>;
}

/** The deletion of status pages, and the way back. */
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

  /** Registers resources of another module that name status pages. */
  register(resources: PageReferences): void {
    this.naming.push(resources);
  }

  /**
   * Deletes a page, and removes it from all resources that refer to it, in one transaction. It can be restored for 30 days.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const page = await this.statusPages.lockOwn(key, id, expected, manager);
      const namedBy: Record<string, string[]> = {};
      for (const { kind, remove } of this.naming) namedBy[kind] = await remove(page, manager);
      await this.repository.deletePage(key, id, key, { days: RESTORABLE_DAYS, namedBy }, manager);
    });
  }

  /**
   * Lists the deleted pages of a project that can be restored, last deleted first.
   * @throws Problem 404 `not_found` for a project that the key has no access to; 400 `invalid_cursor`
   */
  async list(
    key: CurrentApiKey,
    { project_id, limit, cursor }: ListDeletedStatusPagesQuery,
  ): Promise<ListPage<DeletedStatusPageDto>> {
    const list = { name: 'deleted_status_pages', owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = await this.projects.require(key, project_id); // rows outlive their project
    return toListPage(list, await this.repository.findNewest(project, { limit, after }));
  }

  /**
   * Restores a deleted page, except monitors that do not exist any more. Incidents and maintenances that named it name it again.
   * @param values a slug and a domain in place of those that it had
   * @throws Problem 404 `not_found`; 409 `conflict` for a page that is not deleted, and for a slug or domain that another page
   * has now
   */
  async restore(
    key: CurrentApiKey,
    id: string,
    values: RestoreStatusPageDto,
  ): Promise<Restored<StatusPageDto>> {
    const deleted = await this.repository.findRestorable(key, id);
    if (!deleted) return this.throwNotRestorable(key, id);
    return this.dataSource.transaction((manager) => this.restoreIn(key, deleted, values, manager));
  }

  private async restoreIn(
    key: CurrentApiKey,
    deleted: RestorablePage,
    values: RestoreStatusPageDto,
    manager: EntityManager,
  ): Promise<Restored<StatusPageDto>> {
    const { id, organization_id, project_id, page, named_by } = deleted;
    const own = { id, organization_id, project_id };
    const known = await this.monitors.lockExisting(own, monitorIdsOf(page.sections), manager);
    const { sections, omitted_monitor_ids } = withoutMissing(page.sections, known);
    if (!(await this.repository.take(key, id, manager))) return this.throwNotRestorable(key, id, manager);
    const fields: StatusPagePatch = { ...fieldsOf(page), ...values, sections };
    const row = {
      ...own,
      ...fields,
      created_at: new Date(page.created_at),
      updated_at: new Date(Math.max(Date.now(), deleted.deleted_at.getTime() + 1)),
      revision: deleted.revision + 1,
    };
    const change = { operation: 'restore', author: key } as const;
    const data = await this.pages
      .insertUnlessTaken(row, change, manager, replacedBy(fields, page))
      .catch(throwIfProjectIsMissing);
    if (!data) {
      await this.unique.throwIfTaken(null, fields, manager);
      throw new Problem('conflict', {
        detail: 'Another page had the slug or the domain; send the request again',
      });
    }
    for (const { kind, add } of this.naming) await add(own, named_by[kind] ?? [], manager);
    return { data, omitted_monitor_ids };
  }

  /** @throws Problem 409 `conflict` if the page exists, otherwise 404 `not_found` */
  private async throwNotRestorable(key: CurrentApiKey, id: string, manager?: EntityManager): Promise<never> {
    if (!(await this.pages.findOwn(key, id, manager))) throw notFound('status page');
    throw new Problem('conflict', { detail: 'The status page is not deleted' });
  }
}

/** The fields of a page that a client can write. */
function fieldsOf(page: RestorablePage['page']): StatusPagePatch {
  return Object.fromEntries(REVISED_FIELDS.map((field) => [field, page[field]]));
}

/** The values of a deleted page that differ from those of the restored one. */
function replacedBy(restored: StatusPagePatch, page: RestorablePage['page']): StatusPagePatch {
  const changed = REVISED_FIELDS.filter(
    (field) => JSON.stringify(restored[field]) !== JSON.stringify(page[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, page[field]]));
}
