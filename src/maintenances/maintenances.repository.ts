import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import {
  OF_PROJECT,
  OWN,
  projectCondition,
  ownRowParameters,
  projectParameters,
  type RowAccess,
} from '../platform/database/own-rows.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { nextVersion } from '../platform/database/statements.js';
import { type PatchOf, TenantRepository } from '../platform/database/tenant-repository.js';
import type { StatusInterval } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceDto } from './dto/maintenance.dto.js';
import { isNotifiedOf } from '../events/event-statements.js';
import {
  ENDED_AT,
  HAS_NOT_ENDED,
  isShownOn,
  type MaintenanceStatus,
  STATUS,
  VERSION,
} from './maintenance-status.js';
import { Maintenance } from './maintenance.entity.js';

export type MaintenancePatch = PatchOf<Maintenance>;

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

/** Number of maintenance windows that one statement of a list reads. A window can have 70,000 bytes. */
const BATCH_SIZE = 25;

/** A maintenance window of one of several projects that is in progress or upcoming. */
export type PlannedMaintenance = Pick<
  MaintenanceDto,
  'id' | 'title' | 'status' | 'starts_at' | 'ends_at' | 'project_id'
> & {
  /** Number of all such windows of its project. */
  total: number;
  /** The first three affected monitors. */
  monitor_ids: string[];
  /** Number of all affected monitors. */
  affected: number;
};

/** Maximum number of windows in progress per monitor. */
const MAX_ACTIVE = 100;

/** Reads and writes the table `maintenances`. */
@Injectable()
export class MaintenancesRepository extends TenantRepository<Maintenance, MaintenanceDto, LockedMaintenance> {
  constructor(@InjectRepository(Maintenance) repository: Repository<Maintenance>, runner: StatementRunner) {
    super(repository, runner, {
      output: [
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
      ],
      log: { updated: 'maintenance.edited', deleted: 'maintenance.deleted' },
      locked: [
        'organization_id',
        'project_id',
        'starts_at',
        'ends_at',
        'monitor_ids',
        'closed_as',
        'closed_at',
        { as: 'status', sql: STATUS },
        { as: 'is_notified', sql: isNotifiedOf('maintenances') },
        { as: 'now', sql: `date_trunc('milliseconds', statement_timestamp())` },
      ],
      batchSize: BATCH_SIZE,
    });
  }

  /** Updates a locked window. The caller records the change. */
  async patchLocked(
    access: RowAccess,
    id: string,
    patch: MaintenancePatch,
    manager: EntityManager,
  ): Promise<RawJson<MaintenanceDto> | undefined> {
    return this.table.patch(this.own, ownRowParameters(access, id), patch, undefined, manager);
  }

  /**
   * Returns the maintenance windows of a project, newest first. Uses `maintenances_list_idx`. A filter that matches few of
   * 100,000 windows of a project takes up to 0.2 s. Starting from the matches would take longer if there are many.
   */
  async findMatching(
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

  /** Returns the first windows to start of each project that have not ended. Uses `maintenances_ends_at_idx`. */
  async findPlanned(
    { organization_id, project_ids }: RowAccess,
    ids: string[],
    limit: number,
  ): Promise<PlannedMaintenance[]> {
    return this.runner.readOwn<PlannedMaintenance>(
      `SELECT id, title, status, starts_at, ends_at, project_id, total,
              monitor_ids[:3] AS monitor_ids, cardinality(monitor_ids) AS affected
         FROM (
                SELECT id, title, ${STATUS} AS status, starts_at, ends_at, project_id, monitor_ids,
                       row_number() OVER (PARTITION BY project_id ORDER BY starts_at, id) AS rank,
                       (count(*) OVER (PARTITION BY project_id))::integer AS total
                  FROM maintenances
                 WHERE organization_id = $1 AND ${projectCondition('project_id', '$2')} AND project_id = ANY($3::uuid[])
                   AND ${HAS_NOT_ENDED}
              ) AS planned
        WHERE rank <= $4
        ORDER BY starts_at, id`,
      [organization_id, project_ids, ids, limit],
    );
  }

  /** Returns when a window ends, or was closed. */
  async findEnd(access: RowAccess, id: string): Promise<Date | undefined> {
    const text = `SELECT ${ENDED_AT} AS ended_at FROM maintenances WHERE ${OWN}`;
    const [row] = await this.runner.read<{ ended_at: Date }>(text, ownRowParameters(access, id));
    return row?.ended_at;
  }

  /** Increases the version of a locked maintenance window, whose updates have changed. */
  async increaseVersion(
    { organization_id, id }: { organization_id: string; id: string },
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE maintenances SET updated_at = ${nextVersion(VERSION)} WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
      manager,
    );
  }

  /** Returns the windows of monitors that overlap `from` to `to`. */
  async findIntervals(
    organizationId: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<StatusInterval[]> {
    return this.runner.read<StatusInterval>(
      `SELECT monitor_id, 'under_maintenance' AS status, starts_at AS started_at, ${ENDED_AT} AS ended_at
         FROM maintenances
        CROSS JOIN unnest(monitor_ids) AS monitor_id
        WHERE organization_id = $1 AND monitor_ids && $2::uuid[] AND monitor_id = ANY($2::uuid[])
          AND starts_at < $4 AND ${ENDED_AT} > GREATEST(starts_at, $3)
        ORDER BY monitor_id, starts_at, id`,
      [organizationId, monitorIds, from, to],
      manager,
    );
  }

  /** Returns the windows that contain `at`, limited to the first 100 to start per monitor. */
  async findActive(
    organizationId: string,
    monitorIds: string[],
    at: Date,
    manager: EntityManager,
  ): Promise<{ monitor_id: string; maintenance_id: string }[]> {
    return this.runner.read<{ monitor_id: string; maintenance_id: string }>(
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
      manager,
    );
  }
}
