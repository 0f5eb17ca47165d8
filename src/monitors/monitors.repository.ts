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

/** A monitor with a rule that makes drafts. */
export interface DraftRule {
  id: string;
  draft_template_id: string;
}

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
        'draft_template_id',
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

  /**
   * Returns the rules of those of some monitors that have one, and locks them against deletion. Does not wait for a monitor that is
   * being deleted, because the deletion may wait for the history that this transaction has locked.
   */
  async findDraftRules(project: ProjectRef, ids: string[], manager: EntityManager): Promise<DraftRule[]> {
    return this.runner.query<DraftRule>(
      `SELECT id, draft_template_id
         FROM monitors
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[]) AND draft_template_id IS NOT NULL
        ORDER BY id
          FOR KEY SHARE SKIP LOCKED`,
      [...projectParameters(project), ids],
      manager,
    );
  }

  /** Returns one of the monitors whose rule uses a template, and locks it against deletion. */
  async findMonitorOfTemplate(
    project: ProjectRef,
    templateId: string,
    manager: EntityManager,
  ): Promise<string | undefined> {
    const [monitor] = await this.runner.query<{ id: string }>(
      `SELECT id FROM monitors WHERE ${OF_PROJECT} AND draft_template_id = $3 ORDER BY id LIMIT 1 FOR KEY SHARE`,
      [...projectParameters(project), templateId],
      manager,
    );
    return monitor?.id;
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
