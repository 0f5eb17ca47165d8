import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { LoggedTable } from '../platform/database/logged-table.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { ProjectDto } from './dto/project.dto.js';
import { projectCondition, ownRowParameters } from '../platform/database/own-rows.js';
import { Project } from './project.entity.js';
import type { ProjectRef } from './project-ref.js';

type ProjectPatch = Partial<Pick<Project, 'name'>>;

const COVERED = `organization_id = $1 AND ${projectCondition('id', '$2')}`;
const OWN = `${COVERED} AND id = $3`;

/** Reads and writes the table `projects`. */
@Injectable()
export class ProjectsRepository {
  private readonly table: LoggedTable<Project, ProjectDto>;

  constructor(
    @InjectRepository(Project) repository: Repository<Project>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new LoggedTable(repository, runner, ['id', 'name', 'created_at', 'updated_at'], {
      created: 'project.created',
      updated: 'project.updated',
      deleted: 'project.deleted',
      project: 'id',
    });
  }

  /** Returns projects, newest first. Uses `projects_list_idx`. */
  async findNewest({ organization_id, project_ids }: ActorAccess, range: Range): Promise<Rows<ProjectDto>> {
    return this.table.list(COVERED, [organization_id, project_ids], range);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<ProjectDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  async insert(
    actor: Actor,
    { id, organization_id, name }: Pick<Project, 'id' | 'organization_id' | 'name'>,
    manager?: EntityManager,
  ): Promise<ProjectDto> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const fixed = { id, organization_id, created_at: now, updated_at: now };
    return this.table.insertBy(actor, fixed, { name }, manager);
  }

  /** Returns the `ids` that are projects of the organization. */
  async findExisting(organizationId: string, ids: string[]): Promise<Set<string>> {
    const rows = await this.runner.read<{ id: string }>(
      `SELECT id FROM projects WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [organizationId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns whether any organization has a project. */
  async any(): Promise<boolean> {
    return (await this.runner.read('SELECT FROM projects LIMIT 1', [])).length > 0;
  }

  /** Returns a project of any organization. Only for the administrator. */
  async findAny(id: string): Promise<Pick<Project, 'id' | 'organization_id'> | undefined> {
    const [project] = await this.runner.read<Pick<Project, 'id' | 'organization_id'>>(
      'SELECT id, organization_id FROM projects WHERE id = $1',
      [id],
    );
    return project;
  }

  /** Updates a project. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    actor: Actor,
    id: string,
    patch: ProjectPatch,
    expected: ExpectedVersions,
  ): Promise<RawJson<ProjectDto> | undefined> {
    return this.table.patchBy(actor, OWN, ownRowParameters(actor, id), patch, expected);
  }

  /** Locks a project against other locks, its update and its deletion. */
  async lock({ organization_id, project_id }: ProjectRef, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `SELECT FROM projects WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [organization_id, project_id],
      manager,
    );
  }

  /** Deletes a project. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(actor: Actor, id: string, expected: ExpectedVersions): Promise<boolean> {
    return this.table.deleteBy(actor, OWN, ownRowParameters(actor, id), expected);
  }
}
