import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import type { KeyReach } from '../auth/current-key.js';
import type { Range, Rows } from '../database/keyset.js';
import type { RawJson } from '../database/raw-json.js';
import { ResourceTable } from '../database/resource-table.js';
import { StatementRunner } from '../database/statement-runner.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { ProjectDto } from './dto/project.dto.js';
import { isCovered, ownRow } from './own-rows.js';
import { Project } from './project.entity.js';

/** The new values of some columns. */
type ProjectPatch = Partial<Pick<Project, 'name'>>;

const COVERED = `organization_id = $1 AND ${isCovered('id', '$2')}`;
const OWN = `${COVERED} AND id = $3`;

/** The statements on `projects`. */
@Injectable()
export class ProjectsRepository extends Repository<Project> {
  private readonly table: ResourceTable<Project, ProjectDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Project, dataSource.manager);
    this.table = new ResourceTable(this, runner, ['id', 'name', 'created_at', 'updated_at']);
  }

  /** Projects, newest first, along `projects_list_idx`. */
  async findNewest({ organization_id, project_ids }: KeyReach, range: Range): Promise<Rows<ProjectDto>> {
    return this.table.list(COVERED, [organization_id, project_ids], range);
  }

  async findOwn(reach: KeyReach, id: string): Promise<RawJson<ProjectDto> | undefined> {
    return this.table.find(OWN, ownRow(reach, id));
  }

  /** Writes the columns of `patch`. Undefined: no such project, or not in an expected version. */
  async patch(
    reach: KeyReach,
    id: string,
    patch: ProjectPatch,
    expected: ExpectedVersions,
  ): Promise<RawJson<ProjectDto> | undefined> {
    return this.table.patch(OWN, ownRow(reach, id), patch, expected);
  }

  /** Whether a project was deleted. False: no such project, or not in an expected version. */
  async deleteOwn(reach: KeyReach, id: string, expected: ExpectedVersions): Promise<boolean> {
    return (await this.table.delete(OWN, ownRow(reach, id), expected, ['id'])) !== undefined;
  }
}
