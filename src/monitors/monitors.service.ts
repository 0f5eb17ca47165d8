import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { allowLong } from '../platform/database/allow-long.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { writeUnique } from '../platform/database/unique-writes.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, readListPage } from '../platform/pagination/list-page.js';
import { notFound, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { type Reference, referencesIn, throwIfUnknown } from '../platform/problems/references.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateMonitorDto } from './dto/create-monitor.dto.js';
import type { ListMonitorsQuery } from './dto/list-monitors.query.js';
import type { MonitorDto } from './dto/monitor.dto.js';
import type { UpdateMonitorDto } from './dto/update-monitor.dto.js';
import {
  MonitorCreation,
  type NewMonitor,
  throwIfKeyIsTaken,
  throwIfTemplateIsUnknown,
} from './monitor-creation.js';
import type { Monitor } from './monitor.entity.js';
import type { DeleteListener, Listener, Preparation } from './monitor-listeners.js';
import { MonitorsRepository } from './monitors.repository.js';
import type { MonitorName, MonitorOfProject, OwnMonitor } from './monitors.repository.js';

/** Manages monitors, which the sections of status pages show. */
@Injectable()
export class MonitorsService {
  private readonly preparations: Preparation[] = [];
  private readonly deleteListeners: DeleteListener[] = [];
  private readonly staleAfterListeners: Listener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly joined: JoinedTransaction,
    private readonly repository: MonitorsRepository,
    private readonly creation: MonitorCreation,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Lists the monitors of a project, newest first: all, or only the one with a key.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListMonitorsQuery): Promise<ListPage<MonitorDto>> {
    const { project_id, key: monitorKey } = query;
    const list = { name: monitorKey === undefined ? 'monitors' : 'monitors_of_key', owner_id: project_id };
    return readListPage(list, query, (range) => this.findNewest(access, project_id, range, monitorKey));
  }

  /**
   * Returns a page of results of the monitors of a project, newest first.
   * @param monitorKey returns only the monitor with this key
   * @throws Problem 404 `not_found` if the actor cannot access the project
   */
  async findNewest(
    access: ActorAccess,
    project_id: string,
    range: Range,
    monitorKey?: string,
  ): Promise<Rows<MonitorDto>> {
    const project = this.projects.projectRef(access, project_id);
    const rows = await this.repository.findNewest(project, { key: monitorKey }, range);
    // If there are rows, the project exists.
    if (rows.isEmpty) await this.projects.require(access, project_id);
    return rows;
  }

  /** Returns the names of all monitors of projects, in any order. Leaves out projects that the actor cannot access. */
  async ofProjects(access: ActorAccess, projectIds: string[]): Promise<MonitorOfProject[]> {
    return this.repository.findOfProjects(access, projectIds);
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<MonitorDto>> {
    const monitor = await this.repository.findOwn(access, id, manager);
    if (!monitor) throw notFound('monitor');
    return monitor;
  }

  /** Returns the names of monitors of a project, in any order. Monitors that do not exist are missing. */
  async namesOf(project: ProjectRef, ids: string[], manager: EntityManager): Promise<MonitorName[]> {
    return this.repository.findNames(project, ids, manager);
  }

  /**
   * Returns the project of a monitor that the actor can access.
   * @throws Problem 404 `not_found`
   */
  async projectOf(access: ActorAccess, id: string): Promise<ProjectRef> {
    const project = await this.repository.findProject(access, id);
    if (!project) throw notFound('monitor');
    return project;
  }

  /**
   * Creates a monitor in a project.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_incident_template`; 409 `conflict` if another monitor has the key
   */
  async create(actor: Actor, { project_id, ...fields }: CreateMonitorDto): Promise<MonitorDto> {
    await this.projects.require(actor, project_id);
    const monitor = await this.creation.create(actor, project_id, fields, this.dataSource.manager);
    const { organization_id: _own, ...shown } = monitor;
    return shown;
  }

  /**
   * Updates a monitor. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed`; 409 `conflict` if another monitor has the key; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateMonitorDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<MonitorDto>> {
    const write = async () =>
      patch.stale_after_seconds === undefined
        ? this.patch(actor, id, patch, expected)
        : this.dataSource.transaction((own) => this.updateIn(actor, id, patch, expected, own));
    return writeUnique(this.joined, write, throwIfKeyIsTaken);
  }

  /** Updates a monitor in a transaction, like {@link update}. Throws a violation of the key as it is. */
  async updateIn(
    actor: Actor,
    id: string,
    patch: UpdateMonitorDto,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<MonitorDto>> {
    // Not a stronger lock, because the first report of a monitor references it. With UPDATE, both would wait for each other.
    const monitor = await this.lockOwn(actor, id, expected, manager, 'NO KEY UPDATE');
    const updated = await this.patch(actor, id, patch, undefined, manager);
    if (patch.stale_after_seconds === monitor.stale_after_seconds) return updated;
    for (const listener of this.staleAfterListeners) await listener(monitor, manager);
    return updated;
  }

  private async patch(
    actor: Actor,
    id: string,
    patch: UpdateMonitorDto,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<MonitorDto>> {
    const patched = this.repository.patchOwn(actor, id, patch, expected, manager);
    return (
      (await patched.catch(throwIfTemplateIsUnknown)) ??
      throwNotFoundOrPreconditionFailed('monitor', this.repository.findOwn(actor, id, manager))
    );
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  private async lockOwn(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
    strength: 'UPDATE' | 'NO KEY UPDATE',
  ): Promise<OwnMonitor> {
    return (
      (await this.repository.lockOwn(actor, id, expected, manager, strength)) ??
      throwNotFoundOrPreconditionFailed('monitor', this.repository.findOwn(actor, id, manager))
    );
  }

  /**
   * Creates monitors in an existing project, and returns them in the same order. More than 100 require a transaction.
   * @throws Problem 409 `conflict` if another monitor has one of the keys
   */
  async createIn(
    actor: Actor,
    project_id: string,
    newMonitors: NewMonitor[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Monitor[]> {
    return this.creation.createIn(actor, project_id, newMonitors, manager);
  }

  /**
   * Locks monitors against deletion until the transaction of `manager` ends. To avoid deadlocks, lock monitors before the rows
   * that reference them, as a deletion does.
   *
   *     await this.monitors.lock(project, referencesIn(['monitor_ids'], monitor_ids), manager);
   *
   * @throws Problem 400 `validation_failed` with `unknown_monitor` for each ID that is not a monitor of the project
   */
  async lock(project: ProjectRef, references: Reference[], manager: EntityManager): Promise<void> {
    if (references.length === 0) return;
    const known = await this.repository.lock(project, references, manager);
    throwIfUnknown(references, known, 'unknown_monitor', 'is not a monitor of the project');
  }

  /** Locks the monitors that exist in the project in the same way, and returns their IDs. */
  async lockExisting(project: ProjectRef, ids: string[], manager: EntityManager): Promise<Set<string>> {
    return ids.length === 0 ? new Set() : this.repository.lock(project, referencesIn([], ids), manager);
  }

  /**
   * Locks the monitors of the project with these keys until the transaction of `manager` ends, also against a change of the key.
   * Returns their IDs by key.
   */
  async lockByKey(project: ProjectRef, keys: string[], manager: EntityManager): Promise<Map<string, string>> {
    return keys.length === 0 ? new Map() : this.repository.lockByKey(project, keys, manager);
  }

  /**
   * Registers work of another module that removes a monitor from many rows in its own transactions before the deletion.
   * {@link onDelete} removes it from the remaining rows, including rows that were written in the meantime.
   */
  beforeDelete(preparation: Preparation): void {
    this.preparations.push(preparation);
  }

  /** Registers a listener of another module that runs in the transaction of each deletion, before the monitor is deleted. */
  onDelete(listener: DeleteListener): void {
    this.deleteListeners.push(listener);
  }

  /** Registers a listener of another module that runs in the transaction of each update of `stale_after_seconds`. */
  onStaleAfterUpdate(listener: Listener): void {
    this.staleAfterListeners.push(listener);
  }

  /**
   * Deletes a monitor and removes it from all resources that reference it. A monitor on many pages is first removed from most
   * of them in short transactions. If this fails, the monitor still exists, and another call removes the rest. The last
   * transaction locks the monitor first, then these resources. Their writers use the same order.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`, including if the monitor changes during the first transactions
   */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    const found = await this.lockOwn(actor, id, expected, this.dataSource.manager, 'NO KEY UPDATE');
    for (const prepare of this.preparations) await prepare(found, actor);
    await this.dataSource.transaction(async (manager) => {
      await allowLong(manager); // a monitor can have years of reports
      const monitor = await this.lockOwn(actor, id, expected, manager, 'UPDATE');
      for (const listener of this.deleteListeners) await listener(monitor, manager, actor);
      await this.repository.deleteOwn(actor, id, undefined, manager);
    });
  }
}
