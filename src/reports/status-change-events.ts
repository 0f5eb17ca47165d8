import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { type Actor, system } from '../platform/auth/actor.js';
import { EventsService } from '../events/events.service.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { DeferredStatusChangesRepository } from './deferred-status-changes.repository.js';
import { HistoryLocksRepository } from './history-locks.repository.js';
import { type CurrentState, HistoryRepository } from './history.repository.js';
import { eventsOf, type StatusChange } from './status-changes.js';

/**
 * Events of status changes that a project can have in a minute, about. Further changes of a monitor are recorded together, a minute
 * later. An event takes about 450 bytes.
 */
const MAX_A_MINUTE = 5_000;
const MINUTE_MS = 60_000;

/** Monitors whose changes one run of the task records. */
const AT_ONCE = 1_000;

/** A listener in the transaction of status changes. The history of the monitors is locked. */
export type StatusChangeListener = (
  actor: Actor,
  project: ProjectRef,
  changes: StatusChange[],
  manager: EntityManager,
) => Promise<void>;

/** Records the events of status changes, as many as a project can have. */
@Injectable()
export class StatusChangeEvents implements OnModuleInit {
  private readonly listeners: StatusChangeListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly deferred: DeferredStatusChangesRepository,
    private readonly events: EventsService,
    private readonly tasks: PeriodicTasks,
    private readonly locks: HistoryLocksRepository,
    private readonly history: HistoryRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'deferred status changes',
      every_ms: 5_000,
      run: () => this.recordDeferred(),
    });
  }

  /** Registers a listener of another module. Changes that are recorded a minute later reach it then. */
  onChange(listener: StatusChangeListener): void {
    this.listeners.push(listener);
  }

  /** Records the changes of monitors whose state the transaction of `manager` has locked. */
  async record(
    actor: Actor,
    project: ProjectRef,
    statuses: StatusChange[],
    manager: EntityManager,
  ): Promise<void> {
    const changes = statuses.filter(({ from, to }) => from !== to);
    if (changes.length === 0) return;
    const since = new Date(Date.now() - MINUTE_MS);
    const count = await this.events.countOf(project, 'monitor.status_changed', since, MAX_A_MINUTE, manager);
    const room = MAX_A_MINUTE - count;
    const recorded = changes.slice(0, room);
    await this.events.record(eventsOf(actor, project, recorded), manager);
    for (const listener of this.listeners) await listener(actor, project, recorded, manager);
    if (changes.length > room) await this.deferred.defer(project, changes.slice(room), manager);
  }

  /**
   * Records an event for each of the monitors of a project that are due, with their current status. Several processes can run it at
   * the same time.
   * @returns whether there can be more
   */
  private async recordDeferred(): Promise<boolean> {
    const project = await this.deferred.findDueProject();
    if (!project) return false;
    const monitors = await this.dataSource.transaction((manager) => this.recordSome(project, manager));
    const { organization_id, project_id } = project;
    this.logger.warn({ organization_id, project_id, monitors }, 'merged status changes of a project');
    return true;
  }

  /** Returns the number of monitors. */
  private async recordSome(project: ProjectRef, manager: EntityManager): Promise<number> {
    const { organization_id } = project;
    const ids = await this.deferred.findDueMonitors(project, AT_ONCE, manager);
    await this.locks.lock(organization_id, ids, null, manager); // before their status is read, as reports do
    const before = await this.deferred.take(organization_id, ids, manager);
    const current = await this.history.findCurrent(organization_id, ids, new Date(), manager);
    const statusOf = new Map(current.map(({ monitor_id, status }) => [monitor_id, status]));
    const changes = before.map(({ monitor_id, from }) => ({
      monitor_id,
      from,
      to: reportedOf(statusOf.get(monitor_id)),
    }));
    const merged = new Map(before.map((one) => [one.monitor_id, one.changes]));
    const actor = system('deferred status changes', organization_id); // the reports can be of several actors
    const events = eventsOf(actor, project, changes).map((event) => ({
      ...event,
      data: { ...event.data, merged: merged.get(event.resource_id) },
    }));
    await this.events.record(events, manager);
    const changed = changes.filter(({ from, to }) => from !== to);
    for (const listener of this.listeners) await listener(actor, project, changed, manager);
    return before.length;
  }
}

function reportedOf(status: CurrentState['status'] = 'unknown'): ReportedStatus | null {
  return status === 'unknown' ? null : status;
}
