import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { EVENT_TYPES } from './event-types.js';
import type { NotifiedEvent } from './events.repository.js';

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
   * Returns the events that the transaction of `manager` has recorded, and that cause deliveries now. Reads only the organization's
   * events since the begin of the transaction, from `events_organization_idx`.
   */
  async findDue(organizationId: string, manager: EntityManager): Promise<NotifiedEvent[]> {
    return this.runner.read<NotifiedEvent>(
      `SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at
         FROM events
        WHERE organization_id = $1 AND type = ANY($2::text[]) AND created_at >= date_trunc('milliseconds', transaction_timestamp())
          AND due_at IS NOT NULL AND NOT is_planned AND ${IS_OWN}`,
      [organizationId, EVENT_TYPES],
      manager,
    );
  }
}
