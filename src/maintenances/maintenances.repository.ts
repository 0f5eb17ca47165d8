import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { isExpected, nextVersion } from '../platform/database/statements.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { StatusInterval } from '../monitors/monitor-status.js';
import { projectCondition, projectParameters, ownRowParameters } from '../projects/own-rows.js';
import type { DeletedWithProject } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceDto } from './dto/maintenance.dto.js';
import { isNotifiedOf } from '../events/has-been-notified.js';
import { ENDED_AT, isShownOn, type MaintenanceStatus, STATUS, VERSION } from './maintenance-status.js';
import { Maintenance } from './maintenance.entity.js';

export type MaintenancePatch = Partial<Omit<Maintenance, keyof DeletedWithProject>>;

/** A locked maintenance window. */
export type LockedMaintenance = ProjectRef &
  Pick<Maintenance, 'starts_at' | 'ends_at' | 'monitor_ids' | 'closed_as' | 'closed_at'> & {
    is_notified: boolean;
    /** Status at the time `now`. */
    status: MaintenanceStatus;
    now: Date;
  };

/** Conditions of a list of maintenance windows. A window must meet all of them. */
export interface MaintenanceFilter {
  /** A page of the project that shows the window, and its monitors. */
  page?: { id: string; monitor_ids: string[] };
  /** A monitor that the window affects. */
  monitor_id?: string;
}

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;

/** Number of maintenance windows that one statement of a list reads. A window can have 70,000 bytes. */
const BATCH_SIZE = 25;

/** Maximum number of windows in progress per monitor. */
const MAX_ACTIVE = 100;

/** Fields of a maintenance window in responses. */
const OUTPUT = [
  'id',
  'title',
  'body',
  { as: 'status', sql: STATUS },
  'starts_at',
  'ends_at',
  'monitor_ids',
  'status_page_ids',
  'project_id',
  'created_at',
  { as: 'updated_at', sql: VERSION },
] as const;

/** Reads and writes the table `maintenances`. */
@Injectable()
export class MaintenancesRepository extends Repository<Maintenance> {
  private readonly table: ResourceTable<Maintenance, MaintenanceDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Maintenance, dataSource.manager);
    this.table = new ResourceTable(this, runner, OUTPUT);
  }

  /**
   * Returns the maintenance windows of a project, newest first. Uses `maintenances_list_idx`. A filter that matches few of
   * 100,000 windows of a project takes up to 0.2 s. Starting from the matches would take longer if there are many.
   */
  async findNewest(
    project: ProjectRef,
    { page, monitor_id }: MaintenanceFilter,
    range: Range,
  ): Promise<Rows<MaintenanceDto>> {
    const values = projectParameters(project);
    const parameter = (value: unknown) => `$${values.push(value)}`;
    let where = OF_PROJECT;
    if (page) where += ` AND ${isShownOn(parameter(page.id), parameter(page.monitor_ids))}`;
    if (monitor_id) where += ` AND monitor_ids @> ARRAY[${parameter(monitor_id)}::uuid]`;
    return this.table.list(where, values, range, BATCH_SIZE);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<MaintenanceDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  async findProject(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<ProjectRef | undefined> {
    const rows: ProjectRef[] = await (manager ?? this.manager).query(
      `SELECT organization_id, project_id FROM maintenances WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return rows[0];
  }

  /** Locks a maintenance window. Returns undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<LockedMaintenance | undefined> {
    const rows: LockedMaintenance[] = await manager.query(
      `SELECT organization_id, project_id, starts_at, ends_at, monitor_ids, closed_as, closed_at, ${STATUS} AS status,
              ${isNotifiedOf('maintenances')} AS is_notified,
              date_trunc('milliseconds', statement_timestamp()) AS now
         FROM maintenances
        WHERE ${OWN} AND ${isExpected(4, VERSION)}
          FOR UPDATE OF maintenances`,
      [...ownRowParameters(access, id), expected ?? null],
    );
    return rows[0];
  }

  /** Updates a maintenance window. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: MaintenancePatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<MaintenanceDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected, manager);
  }

  async deleteOwn(access: ActorAccess, id: string, manager: EntityManager): Promise<void> {
    await this.table.delete(OWN, ownRowParameters(access, id), undefined, ['id'], manager);
  }

  /** Increases the version of a locked maintenance window, whose updates have changed. */
  async increaseVersion(
    { organization_id, id }: { organization_id: string; id: string },
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE maintenances SET updated_at = ${nextVersion(VERSION)} WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
    );
  }

  /** Inserts a maintenance window, with column defaults for missing fields. */
  async insertOne(
    maintenance: ProjectRef & Pick<Maintenance, 'id' | 'monitor_ids'> & MaintenancePatch,
    manager: EntityManager,
  ): Promise<MaintenanceDto> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const parameters: unknown[] = [maintenance.id, ...projectParameters(maintenance), now];
    const { columns, placeholders } = this.table.assignments(maintenance, parameters);
    const rows: MaintenanceDto[] = await manager.query(
      `INSERT INTO maintenances (id, organization_id, project_id, created_at, updated_at, ${columns})
       VALUES ($1, $2, $3, $4, $4, ${placeholders})
       RETURNING ${this.table.columns}`,
      parameters,
    );
    const [inserted] = rows;
    if (!inserted) throw new Error('an insert returned no row');
    return inserted;
  }

  /** Returns the windows of monitors that overlap `from` to `to`. */
  async findIntervals(
    organizationId: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<StatusInterval[]> {
    return manager.query(
      `SELECT monitor_id, 'under_maintenance' AS status, starts_at AS started_at, ${ENDED_AT} AS ended_at
         FROM maintenances
        CROSS JOIN unnest(monitor_ids) AS monitor_id
        WHERE organization_id = $1 AND monitor_ids && $2::uuid[] AND monitor_id = ANY($2::uuid[])
          AND starts_at < $4 AND ${ENDED_AT} > GREATEST(starts_at, $3)
        ORDER BY monitor_id, starts_at, id`,
      [organizationId, monitorIds, from, to],
    );
  }

  /** Returns the windows that contain `at`, limited to the first 100 to start per monitor. */
  async findActive(
    organizationId: string,
    monitorIds: string[],
    at: Date,
    manager: EntityManager,
  ): Promise<{ monitor_id: string; maintenance_id: string }[]> {
    return manager.query(
      `SELECT monitor_id, id AS maintenance_id
         FROM (
                SELECT monitor_id, id, row_number() OVER (PARTITION BY monitor_id ORDER BY starts_at, id) AS rank
                  FROM maintenances
                 CROSS JOIN unnest(monitor_ids) AS monitor_id
                 WHERE organization_id = $1 AND monitor_ids && $2::uuid[] AND monitor_id = ANY($2::uuid[])
                   AND starts_at <= $3 AND ${ENDED_AT} > $3
              ) AS active
        WHERE rank <= ${MAX_ACTIVE}
        ORDER BY monitor_id, rank`,
      [organizationId, monitorIds, at],
    );
  }
}
