import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { Reference } from '../platform/problems/references.js';
import { projectCondition, projectParameters, ownRowParameters } from '../projects/own-rows.js';
import type { ProjectOwned } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import { Monitor } from './monitor.entity.js';

/** A locked monitor. */
export type OwnMonitor = Pick<Monitor, 'id' | 'organization_id' | 'project_id' | 'stale_after_seconds'>;

/** Fields of a monitor that a page shows. */
export type MonitorName = Pick<Monitor, 'id' | 'name' | 'description' | 'created_at' | 'updated_at'>;

type MonitorPatch = Partial<Omit<Monitor, keyof ProjectOwned>>;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;

/** Reads and writes the table `monitors`. */
@Injectable()
export class MonitorsRepository extends Repository<Monitor> {
  private readonly table: ResourceTable<Monitor, MonitorDto>;

  constructor(
    dataSource: DataSource,
    private readonly runner: StatementRunner,
  ) {
    super(Monitor, dataSource.manager);
    this.table = new ResourceTable(this, runner, [
      'id',
      'name',
      'key',
      'description',
      'stale_after_seconds',
      'project_id',
      'created_at',
      'updated_at',
    ]);
  }

  /**
   * Returns the monitors of a project, newest first. Uses `monitors_list_idx` or `monitors_key_idx`.
   * @param key returns only the monitor with this key
   */
  async findNewest(project: ProjectRef, key: string | undefined, range: Range): Promise<Rows<MonitorDto>> {
    const values = projectParameters(project);
    if (key === undefined) return this.table.list(OF_PROJECT, values, range);
    return this.table.list(`${OF_PROJECT} AND key = $3`, [...values, key], range);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<MonitorDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  async findProject(access: ActorAccess, id: string): Promise<ProjectRef | undefined> {
    const [project] = await this.runner.read<ProjectRef>(
      `SELECT organization_id, project_id FROM monitors WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return project;
  }

  async findNames(project: ProjectRef, ids: string[], manager: EntityManager): Promise<MonitorName[]> {
    return manager.query(
      `SELECT id, name, description, created_at, updated_at FROM monitors WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), ids],
    );
  }

  /** Updates a monitor. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: MonitorPatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<MonitorDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected, manager);
  }

  /** Locks a monitor. Returns undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
    strength: 'UPDATE' | 'NO KEY UPDATE',
  ): Promise<OwnMonitor | undefined> {
    const columns = ['id', 'organization_id', 'project_id', 'stale_after_seconds'] as const;
    return this.table.lock(OWN, ownRowParameters(access, id), expected, columns, manager, strength);
  }

  async deleteOwn(access: ActorAccess, id: string, manager: EntityManager): Promise<void> {
    await this.table.delete(OWN, ownRowParameters(access, id), undefined, ['id'], manager);
  }

  /** Locks monitors of the project against deletion, in ID order to avoid deadlocks. Returns their IDs. */
  async lock(project: ProjectRef, references: Reference[], manager: EntityManager): Promise<Set<string>> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[])
        ORDER BY id
          FOR KEY SHARE`,
      [...projectParameters(project), references.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Locks monitors of the project against a change of their keys, in ID order. Returns their IDs by key. A shared lock would be
   * granted to new reports before a waiting update or deletion, which could then wait until its timeout.
   */
  async lockByKey(project: ProjectRef, keys: string[], manager: EntityManager): Promise<Map<string, string>> {
    const rows: { id: string; key: string }[] = await manager.query(
      `SELECT id, key
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND key = ANY($3::text[]) AND key IS NOT NULL
        ORDER BY id
          FOR NO KEY UPDATE`,
      [...projectParameters(project), keys],
    );
    return new Map(rows.map(({ id, key }) => [key, id]));
  }

  /** Sets the keys of monitors. Leaves their versions unchanged, because no client has read the monitors yet. */
  async setKeys(project: ProjectRef, ids: string[], keys: string[], manager: EntityManager): Promise<void> {
    await manager.query(
      `UPDATE monitors
          SET key = named.key
         FROM unnest($3::uuid[], $4::text[]) AS named (id, key)
        WHERE organization_id = $1 AND project_id = $2 AND monitors.id = named.id`,
      [...projectParameters(project), ids, keys],
    );
  }

  /** Returns the keys of a project that are in a list, or end with a number. */
  async findUsedKeys(project: ProjectRef, keys: string[], manager: EntityManager): Promise<string[]> {
    const rows: { key: string }[] = await manager.query(
      `SELECT key
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND key IS NOT NULL
          AND (key = ANY($3::text[]) OR key ~ '-[0-9]+$')`,
      [...projectParameters(project), keys],
    );
    return rows.map(({ key }) => key);
  }
}
