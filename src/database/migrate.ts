import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { isSqlState, LOCK_NOT_AVAILABLE } from './statements.js';

// Any number, as long as nothing else on this database takes an advisory lock of the same one.
const MIGRATION_LOCK = 7_263_451_094;

/** How often a migration tries for a lock on a table, and for how long: less than what waits behind it may wait. */
const LOCK_TRIES = 10;
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 1_000;

/** What a database may set for all of its sessions, and would end a migration. */
const TIMEOUTS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout', // PostgreSQL 17
];

/**
 * Runs the pending migrations, all or nothing. Of several processes that start at once, one runs them and the others
 * wait; all in one transaction, which is what the connections of the embedded PostgreSQL have of their own.
 *
 * They take as long as they take, but wait only briefly for the lock of a table: all that other processes write there would
 * wait behind them.
 * @throws Error when a table stays locked
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
    executor.transaction = 'all'; // of the pending ones; it joins ours
    await executor.executePendingMigrations();
  });
}
