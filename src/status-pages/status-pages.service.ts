import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentApiKey } from '../auth/current-key.js';
import { DEADLOCK, isSqlState, UNIQUE_VIOLATION } from '../database/statements.js';
import { type ExpectedVersions } from '../database/versions.js';
import type { RawJson } from '../database/raw-json.js';
import { type Page, resolveCursor, toPage } from '../pagination/page.js';
import {
  type FieldError,
  notFound,
  pointerTo,
  preconditionFailed,
  Problem,
  throwNotFoundOrPreconditionFailed,
} from '../problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateStatusPageDto } from './dto/create-status-page.dto.js';
import type { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import type { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import type { UpdateStatusPageSettingsDto } from './dto/update-status-page-settings.dto.js';
import { slugCandidates } from './slug.js';
import type { Section, StatusPage } from './status-page.entity.js';
import { type StatusPagePatch, StatusPagesRepository } from './status-pages.repository.js';

const CREATE_TRIES = 10;
const DEADLOCK_TRIES = 10;

/** The fields of a new page. Missing fields get their defaults; the default `slug` is derived from the name. */
export type NewStatusPage = Pick<StatusPage, 'name'> & StatusPagePatch & Partial<Pick<StatusPage, 'id'>>;

/** Status pages: access, slugs, and consistency with monitors. */
@Injectable()
export class StatusPagesService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: StatusPagesRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
  ) {}

  onModuleInit(): void {
    this.monitors.onDelete((monitor, manager) => this.repository.removeMonitor(monitor, manager));
  }

  /**
   * Lists the status pages of a project, newest first (spec, section 4.1).
   * @throws Problem 404 `not_found` for a project that the key has no access to; 400 `invalid_cursor`
   */
  async list(
    key: CurrentApiKey,
    { project_id, limit, cursor }: ListStatusPagesQuery,
  ): Promise<Page<StatusPageDto>> {
    const list = { name: 'status_pages', owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = this.projects.projectRef(key, project_id);
    const rows = await this.repository.findNewest(project, { limit, after });
    // If there are rows, the project exists.
    if (rows.isEmpty) await this.projects.require(key, project_id);
    return toPage(list, rows);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<RawJson<StatusPageDto>> {
    const page = await this.repository.findOwn(key, id);
    if (!page) throw notFound('status page');
    return page;
  }

  /**
   * Creates a page in a project.
   * @throws Problem 404 `not_found` for a project that the key has no access to; 400 `validation_failed` with
   * `unknown_monitor`; 409 `conflict` for a slug or domain that is taken
   */
  async create(key: CurrentApiKey, { project_id, ...page }: CreateStatusPageDto): Promise<StatusPageDto> {
    const project = await this.projects.require(key, project_id);
    const { sections = [] } = page;
    if (sections.length === 0) return this.createIn(project, page);
    return this.dataSource.transaction(async (manager) => {
      await this.monitors.lock(project, monitorsOf(sections), manager);
      return this.createIn(project, page, manager);
    });
  }

  /**
   * Creates a page in an existing project. The transaction must have locked or created its monitors.
   * @throws Problem 409 `conflict` for a slug or domain that is taken
   */
  async createIn(
    project: ProjectRef,
    page: NewStatusPage,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StatusPageDto> {
    for (let tries = 0; tries < CREATE_TRIES; tries++) {
      const slug = page.slug ?? (await this.findFreeSlug(page.name, tries, manager));
      if (slug === undefined) continue;
      const row = { ...page, ...project, id: page.id ?? uuidv7(), slug };
      const created = await this.repository.insertUnlessTaken(row, manager).catch(throwIfProjectIsMissing);
      if (created) return created;
      await this.throwIfTaken(null, page, manager);
    }
    throw new Problem('conflict', { detail: 'No free slug was found for this name' });
  }

  private async findFreeSlug(
    name: string,
    tries: number,
    manager: EntityManager,
  ): Promise<string | undefined> {
    const candidates = slugCandidates(name);
    const taken = await this.repository.findTaken(candidates, manager);
    // The first is the most readable. After several lost races, take the last, which is random.
    return candidates.filter((candidate) => !taken.has(candidate)).at(tries < CREATE_TRIES / 2 ? 0 : -1);
  }

  /** @throws Problem 409 `conflict` if a page other than `id` has the slug or the domain */
  private async throwIfTaken(
    id: string | null,
    page: StatusPagePatch,
    manager: EntityManager,
  ): Promise<void> {
    if (page.slug === undefined && page.custom_domain === undefined) return;
    const taken = await this.repository.findTakenBy(id, page, manager);
    const errors = (['slug', 'custom_domain'] as const)
      .filter((field) => taken[field])
      .map((field): FieldError => ({
        code: 'taken',
        detail: 'is already taken',
        pointer: pointerTo([field]),
      }));
    if (errors.length === 0) return;
    const detail = 'Another page already has a value that must be unique';
    throw new Problem('conflict', { detail, errors });
  }

  /**
   * Updates a page (spec, section 4.2). Omitted fields keep their values.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`; 412 `precondition_failed`
   */
  async update(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    const { sections } = patch;
    if (sections)
      return this.dataSource.transaction((manager) =>
        this.updateSections(key, id, { ...patch, sections }, expected, manager),
      );
    return this.patch(key, id, patch, expected);
  }

  /**
   * Updates the settings of a page. Omitted settings keep their values.
   * @throws Problem 404 `not_found`; 409 `conflict` for a slug or domain that is taken; 412 `precondition_failed`
   */
  async updateSettings(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageSettingsDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    // Check before the update locks the row: two pages that swap slugs would otherwise deadlock.
    await this.throwIfTaken(id, patch, this.dataSource.manager).catch(async (conflict: unknown) => {
      await this.requireVersion(key, id, expected); // 404 and 412 have precedence
      throw conflict;
    });
    for (let tries = 1; ; tries++) {
      try {
        return await this.patch(key, id, patch, expected);
      } catch (error) {
        const isDeadlock = isSqlState(error, DEADLOCK);
        if (!isDeadlock && !isSqlState(error, UNIQUE_VIOLATION)) throw error;
        await this.throwIfTaken(id, patch, this.dataSource.manager);
        // Two pages that swap slugs deadlock. If the slug is free now, try again.
        if (!isDeadlock || tries >= DEADLOCK_TRIES) throw error;
      }
    }
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    if (!(await this.repository.deleteOwn(key, id, expected)))
      await throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(key, id));
  }

  private async patch(
    key: CurrentApiKey,
    id: string,
    patch: StatusPagePatch,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    return (
      (await this.repository.patch(key, id, patch, expected)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(key, id))
    );
  }

  private async updateSections(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageDto & { sections: Section[] },
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<StatusPageDto>> {
    const project = await this.repository.findProject(key, id, manager);
    if (!project) throw notFound('status page');
    await this.monitors.lock(project, monitorsOf(patch.sections), manager);
    return (
      (await this.repository.patch(key, id, patch, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(key, id, manager))
    );
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  private async requireVersion(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    const page = await this.repository.findOwn(key, id);
    if (!page) throw notFound('status page');
    if (expected && !expected.some((version) => version.toISOString() === page.updated_at))
      throw preconditionFailed();
  }
}

/** The monitors of the sections of a body, with their paths. */
function monitorsOf(sections: Section[]) {
  return sections.map(({ monitor_ids }, index) => ({
    path: ['sections', index, 'monitor_ids'],
    monitor_ids,
  }));
}
