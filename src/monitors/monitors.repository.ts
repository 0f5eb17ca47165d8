import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { IN_EXPECTED_VERSION, newest, setPatch, type Writable } from '../database/statements.js';
import type { KeyReach } from '../auth/current-key.js';
import type { Position } from '../database/keyset.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import { Monitor } from './monitor.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';

/** A monitor that is no longer there. */
export type DeletedMonitor = Pick<Monitor, 'id' | 'organization_id' | 'project_id'>;

/** The new values of some columns. */
type MonitorPatch = Partial<Pick<Monitor, 'name' | 'description'>>;

const WRITABLE: Writable<MonitorPatch> = { name: 'text', description: 'text' };

const COLUMNS = `id, name, description, project_id, created_at, updated_at`;

// $1 is the monitor, $2 and $3 say whose it must be.
const OWN_MONITOR = `id = $1 AND organization_id = $2 AND ($3::uuid[] IS NULL OR project_id = ANY($3::uuid[]))`;

/** The statements on `monitors`. */
@Injectable()
export class MonitorsRepository extends Repository<Monitor> {
  constructor(dataSource: DataSource) {
    super(Monitor, dataSource.manager);
  }

  /** At most `count` monitors of a project after `after`, newest first; read from one stretch of `monitors_list_idx`. */
  async findNewest(project: ProjectRef, count: number, after: Position | null): Promise<MonitorDto[]> {
    const select = `SELECT ${COLUMNS} FROM monitors WHERE organization_id = $1 AND project_id = $2`;
    const parameters = [project.organization_id, project.project_id];
    return newest(this.manager, { select, parameters }, count, after);
  }

  async findOwn(
    reach: KeyReach,
    id: string,
    manager: EntityManager = this.manager,
  ): Promise<MonitorDto | undefined> {
    const rows: MonitorDto[] = await manager.query(`SELECT ${COLUMNS} FROM monitors WHERE ${OWN_MONITOR}`, [
      id,
      reach.organization_id,
      reach.project_ids,
    ]);
    return rows[0];
  }

  /** Writes the columns of `patch`, and no others. Undefined: no such monitor, or not in one of the expected versions. */
  async patch(
    reach: KeyReach,
    id: string,
    patch: MonitorPatch,
    expected: ExpectedVersions,
  ): Promise<MonitorDto | undefined> {
    const parameters: unknown[] = [id, reach.organization_id, reach.project_ids, expected ?? null];
    const [rows]: [MonitorDto[], number] = await this.query(
      `UPDATE monitors
          ${setPatch(WRITABLE, patch, parameters)}
        WHERE ${OWN_MONITOR}
          AND ${IN_EXPECTED_VERSION}
    RETURNING ${COLUMNS}`,
      parameters,
    );
    return rows[0];
  }

  /** The monitor that there was, in one of the expected versions, and no longer is. */
  async deleteOwn(
    reach: KeyReach,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<DeletedMonitor | undefined> {
    const [rows]: [DeletedMonitor[], number] = await manager.query(
      `DELETE FROM monitors
        WHERE ${OWN_MONITOR}
          AND ${IN_EXPECTED_VERSION}
    RETURNING id, organization_id, project_id`,
      [id, reach.organization_id, reach.project_ids, expected ?? null],
    );
    return rows[0];
  }

  /** Those of `ids` that are monitors of the project, held against deletion; in the order of ids, against deadlocks. */
  async lock(manager: EntityManager, project: ProjectRef, ids: string[]): Promise<string[]> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[])
        ORDER BY id
          FOR KEY SHARE`,
      [project.organization_id, project.project_id, ids],
    );
    return rows.map(({ id }) => id);
  }
}
