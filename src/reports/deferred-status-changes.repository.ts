import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { projectParameters } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { StatusChange } from './status-changes.js';

/** A deferred change: the status before the first change, and the number of changes since. */
export interface DeferredChange {
  monitor_id: string;
  from: ReportedStatus | null;
  changes: number;
}

/** Reads and writes the table `deferred_status_changes`. */
@Injectable()
export class DeferredStatusChangesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Defers changes by a minute. The status before the first change of a monitor stays. */
  async defer(
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

  /** Returns the project of any organization whose change has been due for the longest time. */
  async findDueProject(): Promise<ProjectRef | undefined> {
    const [project] = await this.runner.query<ProjectRef>(
      `SELECT monitor.organization_id, monitor.project_id
         FROM deferred_status_changes AS change
         JOIN monitors AS monitor ON monitor.organization_id = change.organization_id AND monitor.id = change.monitor_id
        WHERE change.due_at <= statement_timestamp()
        ORDER BY change.due_at
        LIMIT 1`,
      [],
    );
    return project;
  }

  /** Returns the monitors of a project whose changes are due, at most `limit`. */
  async findDueMonitors(project: ProjectRef, limit: number, manager: EntityManager): Promise<string[]> {
    const due = await this.runner.query<{ monitor_id: string }>(
      `SELECT change.monitor_id
         FROM deferred_status_changes AS change
         JOIN monitors AS monitor ON monitor.organization_id = change.organization_id AND monitor.id = change.monitor_id
        WHERE monitor.organization_id = $1 AND monitor.project_id = $2 AND change.due_at <= statement_timestamp()
        ORDER BY change.due_at
        LIMIT $3`,
      [...projectParameters(project), limit],
      manager,
    );
    return due.map(({ monitor_id }) => monitor_id);
  }

  /** Deletes the changes of monitors, and returns them. */
  async take(
    organization_id: string,
    monitorIds: string[],
    manager: EntityManager,
  ): Promise<DeferredChange[]> {
    return this.runner.query<DeferredChange>(
      `DELETE FROM deferred_status_changes
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
       RETURNING monitor_id, "from", changes`,
      [organization_id, monitorIds],
      manager,
    );
  }
}
