import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { type Actor, system } from '../platform/auth/actor.js';
import { EventsService } from '../events/events.service.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import { projectParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
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

/** Records the events of status changes, as many as a project can have. */
@Injectable()
export class StatusChangeEvents implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
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
    await this.events.record(eventsOf(actor, project, changes.slice(0, room)), manager);
    if (changes.length > room) await this.defer(project, changes.slice(room), manager);
  }

  /** The status before the first change of a monitor stays. */
  private async defer(
    { organization_id }: ProjectRef,
    changes: StatusChange[],
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO deferred_status_changes (organization_id, monitor_id, "from", due_at)
       SELECT $1, monitor_id, "from", statement_timestamp() + interval '1 minute'
         FROM unnest($2::uuid[], $3::monitor_status[]) AS change (monitor_id, "from")
           ON CONFLICT (organization_id, monitor_id) DO UPDATE SET changes = deferred_status_changes.changes + 1`,
      [organization_id, changes.map(({ monitor_id }) => monitor_id), changes.map(({ from }) => from)],
      manager,
    );
  }

  /**
   * Records an event for each of the monitors of a project that are due, with their current status. Several processes can run it at
   * the same time.
   * @returns whether there can be more
   */
  private async recordDeferred(): Promise<boolean> {
    const [project] = await this.runner.query<ProjectRef>(
      `SELECT monitor.organization_id, monitor.project_id
         FROM deferred_status_changes AS change
         JOIN monitors AS monitor ON monitor.organization_id = change.organization_id AND monitor.id = change.monitor_id
        WHERE change.due_at <= statement_timestamp()
        ORDER BY change.due_at
        LIMIT 1`,
      [],
    );
    if (!project) return false;
    const monitors = await this.dataSource.transaction((manager) => this.recordSome(project, manager));
    const { organization_id, project_id } = project;
    this.logger.warn({ organization_id, project_id, monitors }, 'merged status changes of a project');
    return true;
  }

  /** Returns the number of monitors. */
  private async recordSome(project: ProjectRef, manager: EntityManager): Promise<number> {
    const { organization_id } = project;
    const due = await this.runner.query<{ monitor_id: string }>(
      `SELECT change.monitor_id
         FROM deferred_status_changes AS change
         JOIN monitors AS monitor ON monitor.organization_id = change.organization_id AND monitor.id = change.monitor_id
        WHERE monitor.organization_id = $1 AND monitor.project_id = $2 AND change.due_at <= statement_timestamp()
        ORDER BY change.due_at
        LIMIT $3`,
      [...projectParameters(project), AT_ONCE],
      manager,
    );
    const ids = due.map(({ monitor_id }) => monitor_id);
    await this.locks.lock(organization_id, ids, null, manager); // before their status is read, as reports do
    const before = await this.runner.query<{
      monitor_id: string;
      from: ReportedStatus | null;
      changes: number;
    }>(
      `DELETE FROM deferred_status_changes
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
       RETURNING monitor_id, "from", changes`,
      [organization_id, ids],
      manager,
    );
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
    return before.length;
  }
}

function reportedOf(status: CurrentState['status'] = 'unknown'): ReportedStatus | null {
  return status === 'unknown' ? null : status;
}
