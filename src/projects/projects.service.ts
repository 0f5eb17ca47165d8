import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Actor, type ActorAccess, canAccessProject } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../platform/database/statements.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import type { CreateProjectDto } from './dto/create-project.dto.js';
import type { ProjectDto } from './dto/project.dto.js';
import type { UpdateProjectDto } from './dto/update-project.dto.js';
import type { Project } from './project.entity.js';
import { ProjectsRepository } from './projects.repository.js';
import type { ProjectRef } from './project-ref.js';

/** Manages projects, which own monitors and status pages. */
@Injectable()
export class ProjectsService {
  constructor(private readonly repository: ProjectsRepository) {}

  /** Lists the projects that the actor can access, newest first. */
  async list(access: ActorAccess, query: ListQuery): Promise<ListPage<ProjectDto>> {
    const list = { name: 'projects', owner_id: access.organization_id };
    return readListPage(list, query, (range) => this.repository.findNewest(access, range));
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<ProjectDto>> {
    const project = await this.repository.findOwn(access, id, manager);
    if (!project) throw notFound('project');
    return project;
  }

  /**
   * Creates a project in the actor's organization.
   * @throws Problem 403 `forbidden` for a restricted actor, which could not access the new project
   */
  async create(actor: Actor, { name }: CreateProjectDto): Promise<ProjectDto> {
    if (actor.project_ids !== null) {
      const detail = 'An API key that is restricted to some projects cannot create projects';
      throw new Problem('forbidden', { detail });
    }
    return this.repository.insert(actor, { id: uuidv7(), organization_id: actor.organization_id, name });
  }

  /**
   * Creates a project in the actor's organization.
   * @param newProject.name 1 to 200 code points
   */
  async createIn(
    actor: Actor,
    newProject: Pick<Project, 'name'> & Partial<Pick<Project, 'id'>>,
    manager?: EntityManager,
  ): Promise<Project> {
    const { id = uuidv7(), ...fields } = newProject;
    const { organization_id } = actor;
    const row = { ...fields, id, organization_id };
    const { name, created_at, updated_at } = await this.repository.insert(actor, row, manager);
    return { id, organization_id, name, created_at, updated_at };
  }

  /**
   * Updates a project. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateProjectDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<ProjectDto>> {
    return (
      (await this.repository.patch(actor, id, patch, expected)) ??
      throwNotFoundOrPreconditionFailed('project', this.repository.findOwn(actor, id))
    );
  }

  /** @throws Problem 404 `not_found`; 409 `conflict` if it is not empty; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    try {
      if (!(await this.repository.deleteOwn(actor, id, expected)))
        await throwNotFoundOrPreconditionFailed('project', this.repository.findOwn(actor, id));
    } catch (error) {
      if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
      throw new Problem('conflict', {
        detail: 'The project still contains resources. Delete them first.',
      });
    }
  }

  /**
   * Returns a project that the actor can access, without a query. The project may not exist.
   * @throws Problem 404 `not_found` if the actor cannot access the project
   */
  projectRef(access: ActorAccess, id: string): ProjectRef {
    if (!canAccessProject(access, id)) throw notFound('project');
    return { organization_id: access.organization_id, project_id: id };
  }

  /**
   * Returns an existing project that the actor can access.
   * @throws Problem 404 `not_found`
   */
  async require(access: ActorAccess, id: string): Promise<ProjectRef> {
    const project = this.projectRef(access, id);
    if (!(await this.exists(access.organization_id, id))) throw notFound('project');
    return project;
  }

  /**
   * Lists what belongs to a project, newest first.
   * @param name of the list, with its filter
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async listOf<Dto>(
    access: ActorAccess,
    name: string,
    query: ListQuery & Pick<ProjectRef, 'project_id'>,
    find: (project: ProjectRef, range: Range) => Promise<Rows<Dto>>,
  ): Promise<ListPage<Dto>> {
    const { project_id } = query;
    return readListPage({ name, owner_id: project_id }, query, async (range) => {
      const rows = await find(this.projectRef(access, project_id), range);
      // If there are rows, the project exists.
      if (rows.isEmpty) await this.require(access, project_id);
      return rows;
    });
  }

  /** Locks a project until the transaction of `manager` ends. Take this lock before all others. Inserts in the project do not wait. */
  async lock(project: ProjectRef, manager: EntityManager): Promise<void> {
    await this.repository.lock(project, manager);
  }

  /** Returns whether the project exists in the organization. */
  async exists(organizationId: string, id: string): Promise<boolean> {
    return (await this.existing(organizationId, [id])).has(id);
  }

  /** Returns the `ids` that are projects of the organization. */
  async existing(organizationId: string, ids: string[]): Promise<Set<string>> {
    return this.repository.findExisting(organizationId, ids);
  }

  /** Returns whether any organization has a project. */
  async any(): Promise<boolean> {
    return this.repository.any();
  }

  /** Returns a project of any organization. Only for the administrator (the CLI). */
  async findForAdministrator(id: string): Promise<Pick<Project, 'id' | 'organization_id'> | undefined> {
    return this.repository.findAny(id);
  }
}
