import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { newest, setPatch, type Writable } from '../database/statements.js';
import type { Position } from '../http/cursor.js';
import type { ExpectedVersions } from '../http/etag.js';
import type { ProjectDto } from './dto/project.dto.js';
import { Project } from './project.entity.js';

/** Whose projects a statement may touch: those of an organization, or some of them (null: all). */
export interface Owner {
  organization_id: string;
  project_ids: string[] | null;
}

/** The new values of some columns. */
export type ProjectPatch = Partial<Pick<Project, 'name'>>;

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

  /** At most `count` projects after `after`, newest first; read from one stretch of `projects_list_idx`. */
  async findNewest(owner: Owner, count: number, after: Position | null): Promise<ProjectDto[]> {
    const select = `SELECT ${COLUMNS} FROM projects WHERE ${OWN}`;
    const parameters = [owner.organization_id, owner.project_ids];
    return newest(this.manager, { select, parameters }, count, after);
  }

  async findOwn(owner: Owner, id: string): Promise<ProjectDto | undefined> {
    const rows: ProjectDto[] = await this.query(`SELECT ${COLUMNS} FROM projects WHERE ${OWN} AND id = $3`, [
      owner.organization_id,
      owner.project_ids,
      id,
    ]);
    return rows[0];
  }

  /** Writes the columns of `patch`, and no others. Undefined: no such project, or not in one of the expected versions. */
  async patch(
    owner: Owner,
    id: string,
    patch: ProjectPatch,
    expected: ExpectedVersions,
  ): Promise<ProjectDto | undefined> {
    const parameters: unknown[] = [owner.organization_id, owner.project_ids, id, expected ?? null];
    const [rows]: [ProjectDto[], number] = await this.query(
      `UPDATE projects
          ${setPatch(WRITABLE, patch, parameters)}
        WHERE ${OWN} AND id = $3
          AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING ${COLUMNS}`,
      parameters,
    );
    return rows[0];
  }

  /** Whether there was such a project, in one of the expected versions, and now is none. */
  async deleteOwn(owner: Owner, id: string, expected: ExpectedVersions): Promise<boolean> {
    const [, deleted]: [unknown[], number] = await this.query(
      `DELETE FROM projects
        WHERE ${OWN} AND id = $3
          AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))`,
      [owner.organization_id, owner.project_ids, id, expected ?? null],
    );
    return deleted > 0;
  }
}
