import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import {
  OF_PROJECT,
  projectCondition,
  projectParameters,
  type RowAccess,
} from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { TenantRepository } from '../platform/database/tenant-repository.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import { Monitor } from './monitor.entity.js';

/** A locked monitor. */
export type OwnMonitor = Pick<Monitor, 'id' | 'organization_id' | 'project_id' | 'stale_after_seconds'>;

/** Fields of a monitor that a page shows. */
export type MonitorName = Pick<Monitor, 'id' | 'name' | 'description' | 'created_at' | 'updated_at'>;

/** Name of a monitor of one of several projects. */
export type MonitorOfProject = Pick<Monitor, 'id' | 'name' | 'project_id'>;

/** Reads and writes the table `monitors`. */
@Injectable()
export class MonitorsRepository extends TenantRepository<Monitor, MonitorDto, OwnMonitor> {
  constructor(@InjectRepository(Monitor) repository: Repository<Monitor>, runner: StatementRunner) {
    super(repository, runner, {
      output: [
        'id',
        'name',
        'key',
        'description',
        'stale_after_seconds',
        'project_id',
        'created_at',
        'updated_at',
      ],
      log: { created: 'monitor.created', updated: 'monitor.updated', deleted: 'monitor.deleted' },
      locked: ['id', 'organization_id', 'project_id', 'stale_after_seconds'],
    });
  }

  async findNames(project: ProjectRef, ids: string[], manager: EntityManager): Promise<MonitorName[]> {
    return this.runner.read<MonitorName>(
      `SELECT id, name, description, created_at, updated_at FROM monitors WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), ids],
      manager,
    );
  }

  /** Returns the names of all monitors of projects, in any order. */
  async findOfProjects(
    { organization_id, project_ids }: RowAccess,
    ids: string[],
  ): Promise<MonitorOfProject[]> {
    return this.runner.readOwn<MonitorOfProject>(
      `SELECT id, name, project_id
         FROM monitors
        WHERE organization_id = $1 AND ${projectCondition('project_id', '$2')} AND project_id = ANY($3::uuid[])`,
      [organization_id, project_ids, ids],
    );
  }

  async insertAll(monitors: Monitor[], manager: EntityManager): Promise<void> {
    await this.table.insertAll(monitors, manager);
  }

  /**
   * Locks monitors of the project against a change of their keys, in ID order. Returns their IDs by key. A shared lock would be
   * granted to new reports before a waiting update or deletion, which could then wait until its timeout.
   */
  async lockByKey(project: ProjectRef, keys: string[], manager: EntityManager): Promise<Map<string, string>> {
    const rows = await this.runner.query<{ id: string; key: string }>(
      `SELECT id, key
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND key = ANY($3::text[]) AND key IS NOT NULL
        ORDER BY id
          FOR NO KEY UPDATE`,
      [...projectParameters(project), keys],
      manager,
    );
    return new Map(rows.map(({ id, key }) => [key, id]));
  }

  /** Sets the keys of monitors. Leaves their versions unchanged, because no client has read the monitors yet. */
  async setKeys(project: ProjectRef, ids: string[], keys: string[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE monitors
          SET key = named.key
         FROM unnest($3::uuid[], $4::text[]) AS named (id, key)
        WHERE organization_id = $1 AND project_id = $2 AND monitors.id = named.id`,
      [...projectParameters(project), ids, keys],
      manager,
    );
  }

  /** Returns the keys of a project that are in a list, or end with a number. */
  async findUsedKeys(project: ProjectRef, keys: string[], manager: EntityManager): Promise<string[]> {
    const rows = await this.runner.read<{ key: string }>(
      `SELECT key
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND key IS NOT NULL
          AND (key = ANY($3::text[]) OR key ~ '-[0-9]+$')`,
      [...projectParameters(project), keys],
      manager,
    );
    return rows.map(({ key }) => key);
  }
}
