import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor, ActorAccess } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import { type ExpectedVersions } from '../../platform/database/versions.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type ListPage, type ListQuery, readListPage } from '../../platform/pagination/list-page.js';
import { notFound } from '../../platform/problems/problem.js';
import type { RevisionDto, RevisionParams, RevisionWithPageDto } from './dto/revision.dto.js';
import { REVISED_FIELDS } from './dto/revision.dto.js';
import type { StatusPageDto } from '../dto/status-page.dto.js';
import { monitorIdsOf, withoutMissing } from './restored-sections.js';
import { RevisionsRepository } from './revisions.repository.js';
import type { StatusPagePatch } from '../status-pages.repository.js';
import { StatusPagesService } from '../status-pages.service.js';

/** A restored page, and the monitors that were not restored because they no longer exist. */
export interface Restored<Resource> {
  data: Resource;
  omitted_monitor_ids: string[];
}

/** Lists and restores revisions of status pages. */
@Injectable()
export class RevisionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: RevisionsRepository,
    private readonly statusPages: StatusPagesService,
    private readonly monitors: MonitorsService,
  ) {}

  /**
   * Lists the revisions of a page, newest first.
   * @throws Problem 404 `not_found`; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, id: string, query: ListQuery): Promise<ListPage<RevisionDto>> {
    return readListPage({ name: 'status_page_revisions', owner_id: id }, query, async (range) => {
      const page = await this.repository.findPage(access, id);
      if (!page) throw notFound('status page');
      return this.repository.findNewest(page, range);
    });
  }

  /**
   * Returns a revision with the page after the change.
   * @throws Problem 404 `not_found` for the page or the revision
   */
  async get(access: ActorAccess, { id, number }: RevisionParams): Promise<RevisionWithPageDto> {
    const found = await this.repository.findRevision(access, id, number);
    if (!found) throw notFound(found === undefined ? 'status page' : 'revision');
    const { revision, today, replaced } = found;
    const changed_at = new Date(revision.created_at);
    const page = { ...today, ...replaced, created_at: new Date(today.created_at), updated_at: changed_at };
    return { ...revision, created_at: changed_at, page };
  }

  /**
   * Restores a page to a revision, without the monitors that no longer exist.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found` for the page or the revision; 409 `conflict` if another page now uses the slug or domain;
   * 412 `precondition_failed`
   */
  async restore(
    actor: Actor,
    params: RevisionParams,
    expected: ExpectedVersions,
  ): Promise<Restored<RawJson<StatusPageDto>>> {
    const { id } = params;
    const { page } = await this.get(actor, params);
    const project = { organization_id: actor.organization_id, project_id: page.project_id };
    const patch: StatusPagePatch = Object.fromEntries(REVISED_FIELDS.map((field) => [field, page[field]]));
    const change = { operation: 'restore_revision', actor } as const;
    return this.statusPages.writeUnique(actor, id, patch, expected, () =>
      this.dataSource.transaction(async (manager) => {
        const known = await this.monitors.lockExisting(project, monitorIdsOf(page.sections), manager);
        const { sections, omitted_monitor_ids } = withoutMissing(page.sections, known);
        const data = await this.statusPages.patch(
          actor,
          id,
          { ...patch, sections },
          change,
          expected,
          manager,
        );
        return { data, omitted_monitor_ids };
      }),
    );
  }
}
