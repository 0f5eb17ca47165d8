import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentApiKey, KeyReach } from '../auth/current-key.js';
import { allowLong } from '../database/bounds.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../database/statements.js';
import { type ExpectedVersions } from '../database/versions.js';
import { type Page, resolveCursor, toPage } from '../pagination/page.js';
import { notFound, preconditionFailed } from '../problems/problem.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateMonitorDto } from './dto/create-monitor.dto.js';
import type { ListMonitorsQuery } from './dto/list-monitors.query.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import type { UpdateMonitorDto } from './dto/update-monitor.dto.js';
import { Monitor } from './monitor.entity.js';
import { type DeletedMonitor, MonitorsRepository } from './monitors.repository.js';
import type { ProjectRef } from '../projects/project-ref.js';

/** What a new monitor is to be. */
export type NewMonitor = Pick<Monitor, 'name'> & Partial<Pick<Monitor, 'id' | 'description'>>;

/** What else a deletion has to do, in its transaction, once the monitor is gone. */
type OnDelete = (monitor: DeletedMonitor, manager: EntityManager) => Promise<void>;

/** Monitors: what sections of status pages show. */
@Injectable()
export class MonitorsService {
  private readonly onDeletes: OnDelete[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MonitorsRepository,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * The monitors of a project, newest first.
   * @throws Problem 404 `not_found` for a project that the key cannot see; 400 `invalid_cursor`
   */
  async list(key: KeyReach, { project_id, limit, cursor }: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    const list = { name: 'monitors', owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = await this.projects.require(key, project_id);
    return toPage(list, await this.repository.findNewest(project, limit + 1, after), limit);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<MonitorDto> {
    const monitor = await this.repository.findOwn(key, id);
    if (!monitor) throw notFound('monitor');
    return monitor;
  }

  /**
   * Makes a monitor in a project.
   * @throws Problem 404 `not_found` for a project that the key cannot see
   */
  async create(key: CurrentApiKey, { project_id, ...wanted }: CreateMonitorDto): Promise<MonitorDto> {
    const monitor = this.make(await this.projects.require(key, project_id), wanted);
    await this.insert([monitor], this.repository.manager);
    const { id, name, description, created_at, updated_at } = monitor;
    return { id, name, description, project_id, created_at, updated_at };
  }

  /**
   * Changes the fields that are sent, and no others.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    key: CurrentApiKey,
    id: string,
    patch: UpdateMonitorDto,
    expected: ExpectedVersions,
  ): Promise<MonitorDto> {
    return (
      (await this.repository.patch(key, id, patch, expected)) ??
      this.throwNotFoundOrPreconditionFailed(key, id)
    );
  }

  /** Makes monitors in a project of the organization, and answers them in the order given. */
  async createIn(
    project: ProjectRef,
    wanted: NewMonitor[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Monitor[]> {
    const monitors = wanted.map((one) => this.make(project, one));
    await this.insert(monitors, manager);
    return monitors;
  }

  private async insert(monitors: Monitor[], manager: EntityManager): Promise<void> {
    if (monitors.length === 0) return;
    try {
      await manager.insert(Monitor, monitors);
    } catch (error) {
      // The project was deleted meanwhile.
      throw isSqlState(error, FOREIGN_KEY_VIOLATION) ? notFound('project') : error;
    }
  }

  private make(project: ProjectRef, { id = uuidv7(), name, description = '' }: NewMonitor): Monitor {
    const now = new Date();
    return this.repository.create({
      id,
      ...project,
      name,
      description,
      created_at: now,
      updated_at: now,
    });
  }

  /**
   * Which of `ids` are monitors of the project. They cannot be deleted until the transaction of `manager` ends,
   * so that what it writes with them stays true.
   */
  async lock(manager: EntityManager, project: ProjectRef, ids: string[]): Promise<Set<string>> {
    return new Set(await this.repository.lock(manager, project, ids));
  }

  /** Registers what another module does, in the same transaction, when a monitor is deleted: this one knows nothing of it. */
  onDelete(listener: OnDelete): void {
    this.onDeletes.push(listener);
  }

  /**
   * Deletes a monitor, and takes it out of whatever shows it, in one transaction.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await allowLong(manager); // a monitor may be on thousands of pages
      const deleted = await this.repository.deleteOwn(key, id, expected, manager);
      if (!deleted) return this.throwNotFoundOrPreconditionFailed(key, id, manager);
      for (const listener of this.onDeletes) await listener(deleted, manager);
    });
  }

  /** Why a monitor was not found in an expected version. */
  private async throwNotFoundOrPreconditionFailed(
    key: CurrentApiKey,
    id: string,
    manager?: EntityManager,
  ): Promise<never> {
    throw (await this.repository.findOwn(key, id, manager)) ? preconditionFailed() : notFound('monitor');
  }
}
