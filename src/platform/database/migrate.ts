import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, type EntityManager, type Migration, MigrationExecutor } from 'typeorm';
import { isSqlState, LOCK_NOT_AVAILABLE } from './statements.js';

// An arbitrary number that no other advisory lock in this database uses.
const MIGRATION_LOCK = 7_263_451_094;
/** Polling interval of a process while another one migrates, in milliseconds. */
const POLL_MS = 200;

/** Attempts to lock a table. Each is shorter than the timeout of the requests that wait behind it. */
const LOCK_TRIES = 10;
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 1_000;

/** Settings that can have a default in the database, and could cancel a migration. */
const TIMEOUTS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout', // PostgreSQL 17
];

/** Returns the names of pending migrations, oldest first. Only reads. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}

/**
 * Runs the pending migrations, each in its own transaction unless it has `transaction = false`. Only reads if no migration is
 * pending. If several processes start at the same time, one of them runs the migrations and the others wait.
 *
 * Migrations have no time limit, but wait only briefly for a table lock, because all later writes to that table also wait.
 * `docs/migrations.md` describes what migrations are allowed to do.
 * @param dataSource has at least two connections, without bounds
 * @param tries attempts to lock a table
 * @returns the names of the migrations that this call has run
 * @throws Error if a table stays locked
 */
export async function migrate(dataSource: DataSource, tries = LOCK_TRIES): Promise<string[]> {
  if ((await pendingMigrations(dataSource)).length === 0) return [];
  return withLock(dataSource, async (requireLock) => {
    const done: string[] = [];
    for (const migration of await new MigrationExecutor(dataSource).getPendingMigrations()) {
      await requireLock();
      const run = migration.instance?.transaction === false ? runOnline : runInTransaction;
      if (await run(dataSource, migration, tries)) done.push(migration.name);
    }
    return done;
  });
}

/**
 * Runs `work` while no other process migrates. A transaction on a separate connection holds the lock, so that it also works
 * through a pooler. CREATE INDEX CONCURRENTLY waits for the end of all transactions that have a snapshot when it looks. So the
 * transaction with the lock has no snapshot between its statements, and a process that waits begins a new transaction for each
 * attempt. Otherwise, an attempt at that moment would wait for the index, and the index for the attempt's transaction.
 * @param work its parameter throws if the lock is lost
 */
async function withLock<Result>(
  dataSource: DataSource,
  work: (requireLock: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  // The embedded PostgreSQL has one session, so a transaction that stays open would block everything else.
  if (isEmbedded(dataSource)) return work(async () => undefined);
  for (;;) {
    const done = await dataSource.transaction('READ COMMITTED', async (holder) => {
      await disableTimeouts(holder, 'transaction');
      if (!(await tryLock(holder))) return undefined;
      return { result: await work(() => holder.query('SELECT 1')) };
    });
    if (done) return done.result;
    await delay(POLL_MS);
  }
}

function isEmbedded({ options }: DataSource): boolean {
  return options.type === 'postgres' && options.host !== undefined;
}

async function tryLock(manager: EntityManager): Promise<boolean> {
  // Without parameters. In the extended protocol, the result would keep its snapshot until the next statement.
  const rows: { locked: boolean }[] = await manager.query(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS locked`,
  );
  return rows[0]?.locked === true;
}

/** @param scope `session` changes a setting only if it has a value, because a pooler may keep the session for other clients */
async function disableTimeouts(manager: EntityManager, scope: 'session' | 'transaction'): Promise<void> {
  await manager.query(
    `SELECT set_config(name, '0', $2) FROM pg_settings WHERE name = ANY($1) AND setting <> '0'`,
    [TIMEOUTS, scope === 'transaction'],
  );
}

/** @returns false if another process has run it */
async function runInTransaction(
  dataSource: DataSource,
  migration: Migration,
  tries: number,
): Promise<boolean> {
  for (let left = tries; ; left--) {
    try {
      return await dataSource.transaction(async (manager) => {
        await disableTimeouts(manager, 'transaction');
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        const executor = new MigrationExecutor(dataSource, manager.queryRunner);
        if (!(await isPending(executor, migration))) return false;
        await executor.executeMigration(migration);
        return true;
      });
    } catch (error) {
      if (!isSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      if (left <= 1)
        throw new Error(
          'A migration could not acquire a table lock. End the long-running transaction that holds it',
          { cause: error },
        );
      await delay(PAUSE_MS);
    }
  }
}

/** Runs a migration whose statements cannot run in a transaction, or never block requests, no matter how long they wait. */
async function runOnline(dataSource: DataSource, migration: Migration): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    await disableTimeouts(runner.manager, 'session');
    await migration.instance?.up(runner);
    await runner.startTransaction();
    const executor = new MigrationExecutor(dataSource, runner);
    const isFirst = await isPending(executor, migration);
    if (isFirst) await executor.insertMigration(migration);
    await runner.commitTransaction();
    return isFirst;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

async function isPending(executor: MigrationExecutor, { name }: Migration): Promise<boolean> {
  return (await executor.getPendingMigrations()).some((pending) => pending.name === name);
}
