import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { IN_EXPECTED_VERSION, newest, setPatch, type Writable } from '../database/statements.js';
import type { KeyReach } from '../auth/current-key.js';
import type { Position } from '../database/keyset.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { ProjectDto } from './dto/project.dto.js';
import { Project } from './project.entity.js';

/** The new values of some columns. */
type ProjectPatch = Partial<Pick<Project, 'name'>>;

const WRITABLE: Writable<ProjectPatch> = { name: 'text' };

const COLUMNS = `id, name, created_at, updated_at`;

// $1 and $2 say whose they must be.
const OWN = `organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[]))`;

/** The statements on `projects`. */
@Injectable()
export class ProjectsRepository extends Repository<Project> {
  constructor(dataSource: DataSource) {
    super(Project, dataSource.manager);
  }

  /** At most `count` projects after `after`, newest first, along `projects_list_idx`. */
  async findNewest(reach: KeyReach, count: number, after: Position | null): Promise<ProjectDto[]> {
    const select = `SELECT ${COLUMNS} FROM projects WHERE ${OWN}`;
    const parameters = [reach.organization_id, reach.project_ids];
    return newest(this.manager, { select, parameters }, count, after);
  }

  async findOwn(reach: KeyReach, id: string): Promise<ProjectDto | undefined> {
    const rows: ProjectDto[] = await this.query(`SELECT ${COLUMNS} FROM projects WHERE ${OWN} AND id = $3`, [
      reach.organization_id,
      reach.project_ids,
      id,
    ]);
    return rows[0];
  }

  /** Writes the columns of `patch`, and no others. Undefined: no such project, or not in one of the expected versions. */
  async patch(
    reach: KeyReach,
    id: string,
    patch: ProjectPatch,
    expected: ExpectedVersions,
  ): Promise<ProjectDto | undefined> {
    const parameters: unknown[] = [reach.organization_id, reach.project_ids, id, expected ?? null];
    const [rows]: [ProjectDto[], number] = await this.query(
      `UPDATE projects
          ${setPatch(WRITABLE, patch, parameters)}
        WHERE ${OWN} AND id = $3
          AND ${IN_EXPECTED_VERSION}
    RETURNING ${COLUMNS}`,
      parameters,
    );
    return rows[0];
  }

  /** Whether there was such a project, in one of the expected versions, and now is none. */
  async deleteOwn(reach: KeyReach, id: string, expected: ExpectedVersions): Promise<boolean> {
    const [, deleted]: [unknown[], number] = await this.query(
      `DELETE FROM projects
        WHERE ${OWN} AND id = $3
          AND ${IN_EXPECTED_VERSION}`,
      [reach.organization_id, reach.project_ids, id, expected ?? null],
    );
    return deleted > 0;
  }
}
