import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { firstIdAt } from '../platform/database/first-id.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { NotifiedEvent } from './events.repository.js';

/** Maximum difference between the clocks of the process and the database, in milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * SQL condition: the current transaction has inserted the row. It can see no other rows of a transaction in progress. `xmin` has 32
 * bits, so those above are added from the ID of the current transaction.
 */
const IS_OWN = `pg_xact_status(
  (((pg_current_xact_id()::text::bigint >> 32) << 32) | xmin::text::bigint)::text::xid8) = 'in progress'`;

/** Reads the events of a transaction that is not committed. */
@Injectable()
export class RecordedEventsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Returns the events that the transaction of `manager` has recorded, and that cause deliveries now. Uses the primary key.
   * @param since the begin of the transaction
   */
  async findDue(organizationId: string, since: Date, manager: EntityManager): Promise<NotifiedEvent[]> {
    return this.runner.read<NotifiedEvent>(
      `SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at
         FROM events
        WHERE organization_id = $1 AND id >= $2 AND due_at IS NOT NULL AND NOT is_planned AND ${IS_OWN}`,
      [organizationId, firstIdAt(since.getTime() - CLOCKS_DIFFER_MS)],
      manager,
    );
  }
}
