import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { coversProject, type CurrentApiKey } from '../auth/current-key.js';
import { decodeCursor } from '../http/cursor.js';
import type { ExpectedVersions } from '../http/etag.js';
import { type Page, toPage } from '../http/page.js';
import { type FieldError, pointerTo, Problem, validationFailed } from '../http/problems.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import type { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import { slugCandidates } from './slug.js';
import type { Section, StatusPage } from './status-page.entity.js';
import { StatusPagesRepository } from './status-pages.repository.js';

const CREATE_TRIES = 10;

/** What a new page is to be. */
export type NewStatusPage = Pick<StatusPage, 'name'> &
  Partial<Pick<StatusPage, 'description' | 'custom_domain' | 'sections'>>;

/** The rules of status pages: whose they are, and what must hold when they change. */
@Injectable()
export class StatusPagesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: StatusPagesRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
  ) {}

  /**
   * The status pages of a project, newest first (spec, section 4.1).
   * @throws Problem 404 `not_found` for a project that the key cannot see
   */
  async list(
    key: CurrentApiKey,
    { project_id, limit, cursor }: ListStatusPagesQuery,
  ): Promise<Page<StatusPageDto>> {
    if (!coversProject(key, project_id)) throw projectNotFound();
    const project = { organization_id: key.organization_id, project_id };
    const after = cursor === undefined ? null : decodeCursor(cursor, project_id);
    const rows = await this.repository.findNewest(project, limit + 1, after);
    // Rows prove the project; without any, it may be empty or not the key's to see.
    if (rows.length === 0 && !(await this.projects.exists(key.organization_id, project_id)))
      throw projectNotFound();
    return toPage(rows, limit, project_id);
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
  ): Promise<StatusPageDto> {
    const { sections } = patch;
    if (sections)
      return this.dataSource.transaction((manager) =>
        this.updateSections(key, id, { ...patch, sections }, expected, manager),
      );
    const page = Object.values(patch).some((value) => value !== undefined)
      ? await this.repository.patch(key, id, patch, expected)
      : await this.findExpected(key, id, expected);
    return page ?? this.explainMiss(key, id);
  }

  private async updateSections(
    key: CurrentApiKey,
    id: string,
    patch: UpdateStatusPageDto & { sections: Section[] },
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<StatusPageDto> {
    const current = await this.repository.findOwn(key, id, manager);
    if (!current) throw pageNotFound();
    // Monitors before pages, as whoever deletes a monitor takes its locks: otherwise each could wait for the other.
    const project = { organization_id: key.organization_id, project_id: current.project_id };
    const ids = patch.sections.flatMap(({ monitor_ids }) => monitor_ids);
    refuseUnknownMonitors(patch.sections, await this.monitors.lock(manager, project, ids));
    return (
      (await this.repository.patch(key, id, patch, expected, manager)) ?? this.explainMiss(key, id, manager)
    );
  }

  /**
   * Makes a page in a project, with a slug derived from its name. Its monitors must be locked, or made by the
   * same transaction.
   * @throws Problem 409 `conflict` when another page has the custom domain
   */
  async create(
    project: { organization_id: string; project_id: string },
    { name, description = '', custom_domain = null, sections = [] }: NewStatusPage,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StatusPageDto> {
    for (let tries = 0; tries < CREATE_TRIES; tries++) {
      const candidates = slugCandidates(name);
      const taken = await this.repository.findTaken(candidates, manager);
      const free = candidates.filter((candidate) => !taken.has(candidate));
      // The first is the nicest; who lost it to others several times takes the last, which is random.
      const slug = free.at(tries < CREATE_TRIES / 2 ? 0 : -1);
      if (slug === undefined) continue;
      const page = { id: uuidv7(), ...project, name, slug, description, custom_domain, sections };
      const created = await this.repository.insertUnlessTaken(page, manager);
      if (created) return created;
      if (custom_domain !== null && (await this.repository.hasCustomDomain(custom_domain, manager)))
        throw new Problem('conflict', { detail: 'The custom domain is taken' });
    }
    throw new Problem('conflict', { detail: 'No free slug was found for this name' });
  }

  private async findExpected(
    key: CurrentApiKey,
    id: string,
    expected: ExpectedVersions,
  ): Promise<StatusPageDto | undefined> {
    const page = await this.repository.findOwn(key, id);
    const isExpected = expected?.some((version) => version.getTime() === page?.updated_at.getTime()) ?? true;
    return isExpected ? page : undefined;
  }

  /** Why a page was not found in an expected version. */
  private async explainMiss(key: CurrentApiKey, id: string, manager?: EntityManager): Promise<never> {
    if (await this.repository.findOwn(key, id, manager)) {
      const detail = 'If-Match is not the current ETag, which is `updated_at` in double quotes';
      throw new Problem('precondition_failed', { detail });
    }
    throw pageNotFound();
  }
}

// Ids are left out: what a key may not see is answered byte for byte as what never existed.
function projectNotFound(): Problem {
  return new Problem('not_found', { detail: 'There is no such project' });
}

function pageNotFound(): Problem {
  return new Problem('not_found', { detail: 'There is no such status page' });
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
