import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { MAX_TRIES, writeUnique } from '../platform/database/unique-writes.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { type Reference, referencesIn, throwIfUnknown } from '../platform/problems/references.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateStatusPageDto } from './dto/create-status-page.dto.js';
import type { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import type { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import type { UpdateStatusPageSettingsDto } from './dto/update-status-page-settings.dto.js';
import type { Change } from './revision-statements.js';
import type { Section, StatusPage } from './status-page.entity.js';
import { MonitorRemoval } from './monitor-removal.js';
import {
  type LockedStatusPage,
  type StatusPagePatch,
  StatusPagesRepository,
} from './status-pages.repository.js';
import { UniqueValues } from './unique-values.js';

/** The fields of a new page. Missing fields get their defaults; the default `slug` is derived from the name. */
export type NewStatusPage = Pick<StatusPage, 'name'> & StatusPagePatch & Partial<Pick<StatusPage, 'id'>>;

/** Manages status pages: access, slugs, and consistency with monitors. */
@Injectable()
export class StatusPagesService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly joined: JoinedTransaction,
    private readonly repository: StatusPagesRepository,
    private readonly unique: UniqueValues,
    private readonly removal: MonitorRemoval,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
  ) {}

  onModuleInit(): void {
    this.monitors.beforeDelete((monitor, actor) => this.removal.prepare(monitor, actor));
    this.monitors.onDelete((monitor, manager, actor) => this.removal.remove(monitor, actor, manager));
  }

  /**
   * Lists the status pages of a project, newest first (spec, section 4.1).
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(
    actor: Actor,
    { project_id, limit, cursor, ...filter }: ListStatusPagesQuery,
  ): Promise<ListPage<StatusPageDto>> {
    return this.projects.listOf(actor, 'status_pages', { project_id, limit, cursor }, (project, range) =>
      this.repository.findNewest(project, filter, range),
    );
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<StatusPageDto>> {
    const page = await this.repository.findOwn(access, id, manager);
    if (!page) throw notFound('status page');
    return page;
  }

  /**
   * Creates a page in a project.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor`; 409
   * `conflict` if the slug or domain is taken
   */
  async create(actor: Actor, { project_id, ...page }: CreateStatusPageDto): Promise<StatusPageDto> {
    const project = await this.projects.require(actor, project_id);
    const { sections = [] } = page;
    if (sections.length === 0) return this.createIn(actor, project_id, page);
    return this.dataSource.transaction(async (manager) => {
      await this.monitors.lock(project, monitorsOf(sections), manager);
      return this.createIn(actor, project_id, page, manager);
    });
  }

  /**
   * Creates a page in an existing project. If the page has monitors, `manager` must be a transaction that has locked or created
   * them.
   * @throws Problem 409 `conflict` if the slug or domain is taken
   */
  async createIn(
    actor: Actor,
    project_id: string,
    page: NewStatusPage,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StatusPageDto> {
    const project = this.projects.projectRef(actor, project_id);
    const change = { operation: 'create', actor } as const;
    // No constraint excludes the verified domain of another organization.
    if (page.custom_domain) await this.unique.throwIfTaken(null, project.organization_id, page, manager);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const slug = page.slug ?? (await this.unique.freeSlug(page.name, tries, manager));
      if (slug === undefined) continue;
      const id = page.id ?? uuidv7();
      const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
      const row = { ...page, ...project, id, slug, created_at: now, updated_at: now, revision: 1 };
      const created = await this.repository
        .insertUnlessTaken(row, change, manager)
        .catch(throwIfProjectIsMissing);
      if (created) return created;
      await this.unique.throwIfTaken(null, project.organization_id, page, manager);
    }
    throw new Problem('conflict', { detail: 'No slug is available for this name' });
  }

  /**
   * Updates a page (spec, section 4.2). Omitted fields keep their values.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateStatusPageDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    const { sections } = patch;
    if (sections)
      return this.dataSource.transaction((manager) =>
        this.updateSections(actor, id, { ...patch, sections }, expected, manager),
      );
    return this.patch(actor, id, patch, { operation: 'update', actor }, expected);
  }

  /**
   * Updates the settings of a page. Omitted settings keep their values.
   * @throws Problem 404 `not_found`; 409 `conflict` if the slug or domain is taken; 412 `precondition_failed`
   */
  async updateSettings(
    actor: Actor,
    id: string,
    patch: UpdateStatusPageSettingsDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    const change = { operation: 'update_settings', actor } as const;
    return this.writeUnique(actor, id, patch, expected, () => this.patch(actor, id, patch, change, expected));
  }

  /**
   * Updates a page, and writes its revision.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async patch(
    actor: Actor,
    id: string,
    patch: StatusPagePatch,
    change: Change,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto>> {
    return (
      (await this.repository.patch(actor, id, patch, change, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(actor, id, manager))
    );
  }

  /**
   * Locks a page until the transaction of `manager` ends.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async lockOwn(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<LockedStatusPage> {
    return (
      (await this.repository.lockOwn(actor, id, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(actor, id, manager))
    );
  }

  /**
   * Writes the slug or the domain of a page. Retries after a deadlock.
   * @param write one statement or transaction, which may fail and run again
   * @throws Problem 409 `conflict` if the slug or domain is taken; 404 and 412 take precedence
   */
  async writeUnique<T>(
    actor: Actor,
    id: string,
    values: StatusPagePatch,
    expected: ExpectedVersions,
    write: () => Promise<T>,
  ): Promise<T> {
    const { manager } = this.dataSource;
    const throwIfTaken = () => this.unique.throwIfTaken(id, actor.organization_id, values, manager);
    // If two pages swap slugs, this check usually finds the taken slug before the update locks a row, which avoids a deadlock.
    await throwIfTaken().catch(async (conflict: unknown) => {
      await this.lockOwn(actor, id, expected, manager);
      throw conflict;
    });
    return writeUnique(this.joined, write, throwIfTaken);
  }

  /**
   * Locks pages against deletion until the transaction of `manager` ends. Lock monitors first, see `MonitorsService.lock`.
   * @throws Problem 400 `validation_failed` with `unknown_status_page` for each ID that is not a page of the project
   */
  async lock(project: ProjectRef, references: Reference[], manager: EntityManager): Promise<void> {
    if (references.length === 0) return;
    const known = await this.repository.lock(project, references, manager);
    throwIfUnknown(references, known, 'unknown_status_page', 'is not a status page of the project');
  }

  private async updateSections(
    actor: Actor,
    id: string,
    patch: UpdateStatusPageDto & { sections: Section[] },
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<StatusPageDto>> {
    const project = await this.repository.findProject(actor, id, manager);
    if (!project) throw notFound('status page');
    await this.monitors.lock(project, monitorsOf(patch.sections), manager);
    return this.patch(actor, id, patch, { operation: 'update', actor }, expected, manager);
  }
}

/** Returns the monitors that the sections of a body reference. */
function monitorsOf(sections: Section[]): Reference[] {
  return sections.flatMap(({ monitor_ids }, index) =>
    referencesIn(['sections', index, 'monitor_ids'], monitor_ids),
  );
}
