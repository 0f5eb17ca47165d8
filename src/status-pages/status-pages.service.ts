import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentApiKey } from '../auth/current-key.js';
import { DEADLOCK, FOREIGN_KEY_VIOLATION, isSqlState, UNIQUE_VIOLATION } from '../database/statements.js';
import { type ExpectedVersions } from '../database/versions.js';
import type { RawJson } from '../database/raw-json.js';
import { resolveCursor, type TextPage, toTextPage } from '../pagination/page.js';
import {
  type FieldError,
  notFound,
  pointerTo,
  preconditionFailed,
  Problem,
  validationFailed,
} from '../problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateStatusPageDto } from './dto/create-status-page.dto.js';
import type { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import type { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import type { UpdateStatusPageSettingsDto } from './dto/update-status-page-settings.dto.js';
import { slugCandidates } from './slug.js';
import type { Section, StatusPage } from './status-page.entity.js';
import { type StatusPagePatch, StatusPagesRepository } from './status-pages.repository.js';
import type { ProjectRef } from '../projects/project-ref.js';

const CREATE_TRIES = 10;
const DEADLOCK_TRIES = 10;

/** What a new page is to be; what is not given gets its default, `slug` one derived from the name. */
export type NewStatusPage = Pick<StatusPage, 'name'> & StatusPagePatch & Partial<Pick<StatusPage, 'id'>>;

/** The rules of status pages: whose they are, and what must hold when they change. */
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
   * The status pages of a project, newest first (spec, section 4.1).
   * @throws Problem 404 `not_found` for a project that the key cannot see; 400 `invalid_cursor`
   */
  async list(
    key: CurrentApiKey,
    { project_id, limit, cursor }: ListStatusPagesQuery,
  ): Promise<TextPage<StatusPageDto>> {
    const list = { name: 'status_pages', owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = this.projects.projectRef(key, project_id);
    const page = await this.repository.findNewest(project, limit, after);
    // Rows prove the project; without any, it may be empty or not the key's to see.
    if (page.text === '[]') await this.projects.require(key, project_id);
    return toTextPage(list, page);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<RawJson<StatusPageDto>> {
    const page = await this.repository.findOwnText(key, id);
    if (!page) throw notFound('status page');
    return page;
  }

  /**
   * Makes a page in a project.
   * @throws Problem 404 `not_found` for a project that the key cannot see; 400 `validation_failed` with
   * `unknown_monitor`; 409 `conflict` for a slug or domain that is taken
   */
  async create(key: CurrentApiKey, { project_id, ...page }: CreateStatusPageDto): Promise<StatusPageDto> {
    const project = await this.projects.require(key, project_id);
    const { sections = [] } = page;
    if (sections.length === 0) return this.createIn(project, page);
    return this.dataSource.transaction(async (manager) => {
      await this.lockMonitors(project, sections, manager);
      return this.createIn(project, page, manager);
    });
  }

  /**
   * Makes a page in a project that exists. Its monitors must be locked, or made by the same transaction.
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
      const created = await this.insertUnlessTaken(
        { ...page, ...project, id: page.id ?? uuidv7(), slug },
        manager,
      );
      if (created) return created;
      await this.refuseTaken(null, page, manager);
    }
    throw new Problem('conflict', { detail: 'No free slug was found for this name' });
  }

  private async insertUnlessTaken(
    page: Pick<StatusPage, 'id' | 'organization_id' | 'project_id'> & StatusPagePatch,
    manager: EntityManager,
  ): Promise<StatusPageDto | undefined> {
    try {
      return await this.repository.insertUnlessTaken(page, manager);
    } catch (error) {
      // The project was deleted meanwhile.
      throw isSqlState(error, FOREIGN_KEY_VIOLATION) ? notFound('project') : error;
    }
  }

  private async findFreeSlug(
    name: string,
    tries: number,
    manager: EntityManager,
  ): Promise<string | undefined> {
    const candidates = slugCandidates(name);
    const taken = await this.repository.findTaken(candidates, manager);
    // The first is the nicest; who lost it to others several times takes the last, which is random.
    return candidates.filter((candidate) => !taken.has(candidate)).at(tries < CREATE_TRIES / 2 ? 0 : -1);
  }

  /** @throws Problem 409 `conflict` naming each of slug and domain that a page other than `id` has */
  private async refuseTaken(id: string | null, page: StatusPagePatch, manager: EntityManager): Promise<void> {
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
   * Changes the fields that are sent, and no others, all or nothing (spec, section 4.2).
   * @param expected the versions that the client allows, see `If-Match`
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
   * Changes the settings that are sent, and no others, all or nothing.
   * @throws Problem 404 `not_found`; 409 `conflict` for a slug or domain that is taken; 412 `precondition_failed`
   */
  async updateSettings(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageSettingsDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    // Before the row is locked: pages that want each other's slug would wait for each other, until PostgreSQL ends one.
    await this.refuseTaken(id, patch, this.dataSource.manager).catch(async (conflict: unknown) => {
      await this.requireVersion(key, id, expected); // 404 and 412 come first
      throw conflict;
    });
    for (let tries = 1; ; tries++) {
      try {
        return await this.patch(key, id, patch, expected);
      } catch (error) {
        const isDeadlock = isSqlState(error, DEADLOCK);
        if (!isDeadlock && !isSqlState(error, UNIQUE_VIOLATION)) throw error;
        await this.refuseTaken(id, patch, this.dataSource.manager);
        // Pages that want each other's slug wait for each other. If it is free meanwhile, this one was only late.
        if (!isDeadlock || tries >= DEADLOCK_TRIES) throw error;
      }
    }
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    if (!(await this.repository.deleteOwn(key, id, expected)))
      await this.throwNotFoundOrPreconditionFailed(key, id);
  }

  private async patch(
    key: CurrentApiKey,
    id: string,
    patch: StatusPagePatch,
    expected: ExpectedVersions,
  ): Promise<RawJson<StatusPageDto>> {
    return (
      (await this.repository.patch(key, id, patch, expected)) ??
      this.throwNotFoundOrPreconditionFailed(key, id)
    );
  }

  private async updateSections(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageDto & { sections: Section[] },
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<StatusPageDto>> {
    const current = await this.repository.findOwn(key, id, manager);
    if (!current) throw notFound('status page');
    // Monitors before pages, as whoever deletes a monitor takes its locks: otherwise each could wait for the other.
    const project = { organization_id: key.organization_id, project_id: current.project_id };
    await this.lockMonitors(project, patch.sections, manager);
    return (
      (await this.repository.patch(key, id, patch, expected, manager)) ??
      this.throwNotFoundOrPreconditionFailed(key, id, manager)
    );
  }

  /**
   * Holds the monitors of sections against deletion until the transaction ends.
   * @throws Problem 400 `validation_failed` with `unknown_monitor`
   */
  private async lockMonitors(
    project: ProjectRef,
    sections: Section[],
    manager: EntityManager,
  ): Promise<void> {
    const ids = sections.flatMap(({ monitor_ids }) => monitor_ids);
    refuseUnknownMonitors(sections, await this.monitors.lock(manager, project, ids));
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  private async requireVersion(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    const page = await this.repository.findOwn(key, id);
    if (!page) throw notFound('status page');
    if (expected && !expected.some((version) => version.getTime() === page.updated_at.getTime()))
      throw preconditionFailed();
  }

  /** Why a page was not found in an expected version. */
  private async throwNotFoundOrPreconditionFailed(
    key: CurrentApiKey,
    id: string,
    manager?: EntityManager,
  ): Promise<never> {
    throw (await this.repository.findOwn(key, id, manager)) ? preconditionFailed() : notFound('status page');
  }
}

function refuseUnknownMonitors(sections: Section[], known: ReadonlySet<string>): void {
  const errors: FieldError[] = sections.flatMap(({ monitor_ids }, section) =>
    monitor_ids.flatMap((id, index) =>
      known.has(id)
        ? []
        : [
            {
              code: 'unknown_monitor' as const,
              detail: "is not a monitor of the page's project",
              pointer: pointerTo(['sections', section, 'monitor_ids', index]),
            },
          ],
    ),
  );
  if (errors.length > 0) throw validationFailed(errors);
}
