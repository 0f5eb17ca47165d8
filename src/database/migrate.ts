import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { isSqlState, LOCK_NOT_AVAILABLE } from './statements.js';

// An arbitrary number that no other advisory lock in this database uses.
const MIGRATION_LOCK = 7_263_451_094;

/** Attempts to lock a table. Each is shorter than the timeout of the requests that wait behind it. */
const LOCK_TRIES = 10;
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 1_000;

/** Settings that can have a default in the database, and would cancel a migration. */
const TIMEOUTS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout', // PostgreSQL 17
];

/**
 * Runs the pending migrations in one transaction. If several processes start at the same time, one of them runs the
 * migrations and the others wait. Migrations have no time limit, but wait only briefly for the lock of a table, because
 * all later writes to that table wait as well.
 * @throws Error if a table stays locked
 */
export async function migrate(dataSource: DataSource, tries = LOCK_TRIES): Promise<void> {
  try {
    await run(dataSource);
  } catch (error) {
    if (!isSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
    if (tries <= 1)
      throw new Error('A migration could not lock a table: end the long transaction that holds it', {
        cause: error,
      });
    await delay(PAUSE_MS);
    await migrate(dataSource, tries - 1);
  }
}

async function run(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await manager.query(`SELECT set_config(name, '0', true) FROM pg_settings WHERE name = ANY($1)`, [
      TIMEOUTS,
    ]);
    await manager.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const executor = new MigrationExecutor(dataSource, manager.queryRunner);
    executor.transaction = 'all'; // uses the current transaction
    await executor.executePendingMigrations();
  });
}
