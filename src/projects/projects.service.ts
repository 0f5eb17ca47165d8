import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { canAccessProject, type CurrentApiKey, type KeyReach } from '../auth/current-key.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../database/statements.js';
import { type ExpectedVersions } from '../database/versions.js';
import { type Page, type PageQuery, resolveCursor, toPage } from '../pagination/page.js';
import { notFound, preconditionFailed, Problem } from '../problems/problem.js';
import type { CreateProjectDto } from './dto/create-project.dto.js';
import type { ProjectDto } from './dto/project.dto.js';
import type { UpdateProjectDto } from './dto/update-project.dto.js';
import { Project } from './project.entity.js';
import { ProjectsRepository } from './projects.repository.js';
import type { ProjectRef } from './project-ref.js';

/** Projects: what owns monitors and status pages. */
@Injectable()
export class ProjectsService {
  constructor(private readonly repository: ProjectsRepository) {}

  /** The projects that the key can see, newest first. */
  async list(key: KeyReach, { limit, cursor }: PageQuery): Promise<Page<ProjectDto>> {
    const list = { name: 'projects', owner_id: key.organization_id };
    const after = resolveCursor(list, cursor);
    return toPage(list, await this.repository.findNewest(key, limit + 1, after), limit);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<ProjectDto> {
    const project = await this.repository.findOwn(key, id);
    if (!project) throw notFound('project');
    return project;
  }

  /**
   * Makes a project in the organization of the key.
   * @throws Problem 403 `forbidden` for a key that is narrowed to some projects: it could not see the new one
   */
  async create(key: CurrentApiKey, { name }: CreateProjectDto): Promise<ProjectDto> {
    if (key.project_ids !== null) {
      const detail = 'An API key that is restricted to some projects cannot create projects';
      throw new Problem('forbidden', { detail });
    }
    const { id, created_at, updated_at } = await this.createIn({
      organization_id: key.organization_id,
      name,
    });
    return { id, name, created_at, updated_at };
  }

  /**
   * Makes a project in an organization that exists.
   * @param wanted.name 1 to 200 code points
   */
  async createIn(
    wanted: Pick<Project, 'organization_id' | 'name'> & Partial<Pick<Project, 'id'>>,
    manager: EntityManager = this.repository.manager,
  ): Promise<Project> {
    const now = new Date();
    const project = manager.create(Project, {
      ...wanted,
      id: wanted.id ?? uuidv7(),
      created_at: now,
      updated_at: now,
    });
    await manager.insert(Project, project);
    return project;
  }

  /**
   * Changes the fields that are sent, and no others.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    key: CurrentApiKey,
    id: string,
    patch: UpdateProjectDto,
    expected: ExpectedVersions,
  ): Promise<ProjectDto> {
    return (
      (await this.repository.patch(key, id, patch, expected)) ??
      this.throwNotFoundOrPreconditionFailed(key, id)
    );
  }

  /** @throws Problem 404 `not_found`; 409 `conflict` while it owns anything; 412 `precondition_failed` */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    try {
      if (!(await this.repository.deleteOwn(key, id, expected)))
        await this.throwNotFoundOrPreconditionFailed(key, id);
    } catch (error) {
      if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
      throw new Problem('conflict', {
        detail: 'The project is not empty; delete the resources that it owns first',
      });
    }
  }

  /**
   * A project, as far as the key can tell without asking the database whether it exists.
   * @throws Problem 404 `not_found` for a project that the key does not cover
   */
  projectRef(key: KeyReach, id: string): ProjectRef {
    if (!canAccessProject(key, id)) throw notFound('project');
    return { organization_id: key.organization_id, project_id: id };
  }

  /**
   * A project that the key can see.
   * @throws Problem 404 `not_found`
   */
  async require(key: KeyReach, id: string): Promise<ProjectRef> {
    const project = this.projectRef(key, id);
    if (!(await this.exists(key.organization_id, id))) throw notFound('project');
    return project;
  }

  /** Whether the organization has this project. */
  async exists(organizationId: string, id: string): Promise<boolean> {
    return this.repository.existsBy({ organization_id: organizationId, id });
  }

  /** Those of `ids` that are projects of the organization. */
  async existing(organizationId: string, ids: string[]): Promise<Set<string>> {
    const found = await this.repository.find({
      select: { id: true },
      where: { organization_id: organizationId, id: In(ids) },
    });
    return new Set(found.map(({ id }) => id));
  }

  /** Whether any project was ever made, in whatever organization. */
  async any(): Promise<boolean> {
    return this.repository.exists();
  }

  /** The project with this id, of whatever organization: for the administrator (the CLI) only. */
  async findForAdministrator(id: string): Promise<Project | null> {
    return this.repository.findOneBy({ id });
  }

  /** Why a project was not found in an expected version. */
  private async throwNotFoundOrPreconditionFailed(key: CurrentApiKey, id: string): Promise<never> {
    throw (await this.repository.findOwn(key, id)) ? preconditionFailed() : notFound('project');
  }
}
