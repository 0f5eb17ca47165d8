import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentApiKey, KeyAccess } from '../auth/current-key.js';
import { allowLong } from '../database/statement-timeouts.js';
import type { RawJson } from '../database/raw-json.js';
import { type ExpectedVersions } from '../database/versions.js';
import { type Page, resolveCursor, toPage } from '../pagination/page.js';
import {
  type FieldError,
  notFound,
  pointerTo,
  throwNotFoundOrPreconditionFailed,
  validationFailed,
} from '../problems/problem.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateMonitorDto } from './dto/create-monitor.dto.js';
import type { ListMonitorsQuery } from './dto/list-monitors.query.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import type { UpdateMonitorDto } from './dto/update-monitor.dto.js';
import { Monitor } from './monitor.entity.js';
import { type DeletedMonitor, MonitorsRepository } from './monitors.repository.js';

/** The fields of a new monitor. */
export type NewMonitor = Pick<Monitor, 'name'> & Partial<Pick<Monitor, 'id' | 'description'>>;

/** A list of monitor ids in a body, with its path there. */
interface MonitorList {
  path: (string | number)[];
  monitor_ids: string[];
}

/** A listener that runs in the transaction of a deletion, after the monitor is deleted. */
type DeleteListener = (monitor: DeletedMonitor, manager: EntityManager) => Promise<void>;

/** Monitors, which the sections of status pages show. */
@Injectable()
export class MonitorsService {
  private readonly deleteListeners: DeleteListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MonitorsRepository,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Lists the monitors of a project, newest first.
   * @throws Problem 404 `not_found` for a project that the key has no access to; 400 `invalid_cursor`
   */
  async list(key: KeyAccess, { project_id, limit, cursor }: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    const list = { name: 'monitors', owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = this.projects.projectRef(key, project_id);
    const rows = await this.repository.findNewest(project, { limit, after });
    // If there are rows, the project exists.
    if (rows.isEmpty) await this.projects.require(key, project_id);
    return toPage(list, rows);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<RawJson<MonitorDto>> {
    const monitor = await this.repository.findOwn(key, id);
    if (!monitor) throw notFound('monitor');
    return monitor;
  }

  /**
   * Creates a monitor in a project.
   * @throws Problem 404 `not_found` for a project that the key has no access to
   */
  async create(key: CurrentApiKey, { project_id, ...fields }: CreateMonitorDto): Promise<MonitorDto> {
    const project = await this.projects.require(key, project_id);
    const monitor = newMonitor(project, fields);
    await this.insert([monitor], this.dataSource.manager);
    const { id, name, description, created_at, updated_at } = monitor;
    return { id, name, description, project_id, created_at, updated_at };
  }

  /**
   * Updates a monitor. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    key: CurrentApiKey,
    id: string,
    patch: UpdateMonitorDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<MonitorDto>> {
    return (
      (await this.repository.patch(key, id, patch, expected)) ??
      throwNotFoundOrPreconditionFailed('monitor', this.repository.findOwn(key, id))
    );
  }

  /** Creates monitors in an existing project, and returns them in the same order. */
  async createIn(
    project: ProjectRef,
    newMonitors: NewMonitor[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Monitor[]> {
    const monitors = newMonitors.map((fields) => newMonitor(project, fields));
    await this.insert(monitors, manager);
    return monitors;
  }

  private async insert(monitors: Monitor[], manager: EntityManager): Promise<void> {
    if (monitors.length > 0) await manager.insert(Monitor, monitors).catch(throwIfProjectIsMissing);
  }

  /**
   * Locks monitors against deletion until the transaction of `manager` ends. Lock monitors before the pages that refer to
   * them, in the same order as a deletion: another order can cause a deadlock.
   *
   *     await this.monitors.lock(project, [{ path: ['monitor_ids'], monitor_ids }], manager);
   *
   * @param lists lists of ids, with their paths in the body
   * @throws Problem 400 `validation_failed` with `unknown_monitor` for each id that is not a monitor of the project
   */
  async lock(project: ProjectRef, lists: MonitorList[], manager: EntityManager): Promise<void> {
    const ids = lists.flatMap(({ monitor_ids }) => monitor_ids);
    const known = await this.repository.lock(project, ids, manager);
    const errors = lists.flatMap(({ path, monitor_ids }) =>
      monitor_ids.flatMap((id, index): FieldError[] => {
        const pointer = pointerTo([...path, index]);
        const detail = 'is not a monitor of the project';
        return known.has(id) ? [] : [{ code: 'unknown_monitor', detail, pointer }];
      }),
    );
    if (errors.length > 0) throw validationFailed(errors);
  }

  /** Registers a listener of another module, which runs in the transaction of each deletion. */
  onDelete(listener: DeleteListener): void {
    this.deleteListeners.push(listener);
  }

  /**
   * Deletes a monitor, and removes it from all sections, in one transaction.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await allowLong(manager); // thousands of pages can contain a monitor
      const deleted = await this.repository.deleteOwn(key, id, expected, manager);
      if (!deleted)
        return throwNotFoundOrPreconditionFailed('monitor', this.repository.findOwn(key, id, manager));
      for (const listener of this.deleteListeners) await listener(deleted, manager);
    });
  }
}

function newMonitor(project: ProjectRef, { id = uuidv7(), name, description = '' }: NewMonitor): Monitor {
  const now = new Date();
  const { organization_id, project_id } = project;
  return { id, organization_id, project_id, name, description, created_at: now, updated_at: now };
}
