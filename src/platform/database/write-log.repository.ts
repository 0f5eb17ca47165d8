import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LoggedActor } from '../log/logged-actor.js';
import { StatementRunner } from './statement-runner.js';
import type { Changes } from '../log/changes.js';
import { logParameters } from './log-statements.js';
import type { LoggedType } from '../log/logged-types.js';

/** A write to record. */
export interface LogEntry {
  actor: LoggedActor;
  type: LoggedType;
  /** null: the resource belongs to the organization. */
  project_id: string | null;
  resource_id: string;
  /** The update of an incident or a maintenance window. */
  update_id?: string;
  changes?: Changes;
  /** Further values, such as numbers. */
  data?: Record<string, unknown>;
}

/**
 * Records writes that consist of several statements, in the log that `GET /v1/events` lists. A `TenantRepository` with `log`
 * records its writes by itself.
 */
@Injectable()
export class WriteLog {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Records a write in its transaction. A write without changes is recorded, too.
   * @throws Error outside of a transaction, because the entry could remain without its write
   */
  async record(
    { actor, type, project_id, resource_id, update_id, changes, data = {} }: LogEntry,
    manager: EntityManager,
  ): Promise<void> {
    if (!manager.queryRunner?.isTransactionActive)
      throw new Error('a write must be recorded with the manager of its transaction');
    const ids = [actor.organization_id, project_id, resource_id, update_id ?? null];
    const values = [changes ? JSON.stringify(changes) : null, JSON.stringify(data)];
    await this.runner.query(
      `INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                           update_id, changes, data, created_at, is_notified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, statement_timestamp(), false)`,
      [...logParameters(type, actor), ...ids, ...values],
      manager,
    );
  }

  /** Records a change of a resource, unless no field has changed. */
  async recordChange(entry: LogEntry & { changes: Changes }, manager: EntityManager): Promise<void> {
    if (Object.keys(entry.changes).length > 0) await this.record(entry, manager);
  }
}
