import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { ProjectDto } from './dto/project.dto.js';
import { projectCondition, ownRowParameters } from './own-rows.js';
import { Project } from './project.entity.js';
import type { ProjectRef } from './project-ref.js';

type ProjectPatch = Partial<Pick<Project, 'name'>>;

const COVERED = `organization_id = $1 AND ${projectCondition('id', '$2')}`;
const OWN = `${COVERED} AND id = $3`;

/** Reads and writes the table `projects`. */
@Injectable()
export class ProjectsRepository extends Repository<Project> {
  private readonly table: ResourceTable<Project, ProjectDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Project, dataSource.manager);
    this.table = new ResourceTable(this, runner, ['id', 'name', 'created_at', 'updated_at']);
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

  /** Updates a project. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: ProjectPatch,
    expected: ExpectedVersions,
  ): Promise<RawJson<ProjectDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected);
  }

  /** Locks a project against other locks, its update and its deletion. */
  async lock({ organization_id, project_id }: ProjectRef, manager: EntityManager): Promise<void> {
    await manager.query(`SELECT FROM projects WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
      organization_id,
      project_id,
    ]);
  }

  /** Deletes a project. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(access: ActorAccess, id: string, expected: ExpectedVersions): Promise<boolean> {
    return (await this.table.delete(OWN, ownRowParameters(access, id), expected, ['id'])) !== undefined;
  }
}
