import { escapeIdentifier } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { type Connection, dataSourceOptions } from '../database/data-source-options.js';
import { migrate } from '../database/migrate.js';
import { MIGRATIONS } from '../database/migrations/index.js';
import { executedMigrations, requireKnownSchema } from '../database/newer-schema.js';
import { openDataSource, requireVersion } from '../database/open-data-source.js';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../database/statements.js';
import { DEFAULT_ORGANIZATION_ID } from '../database/default-organization.js';
import type { Summary, TableLine } from './backup-format.js';
import type { Batch, BackupReader } from './read-backup.js';
import { findTables, keepAlive, listed, setLocalSettings, type Table } from './tables.js';

/** Changes restored rows before they are visible. */
export type AfterLoad = (runner: QueryRunner) => Promise<void>;

/**
 * Restores a backup into an empty database: creates the schema of the backup, inserts all rows in one transaction, then runs
 * the migrations that are newer than the backup. An error before the commit, such as a corrupt backup, leaves the database
 * empty.
 * @param afterLoad runs in the same transaction, with the schema of the backup
 * @throws Error if the database is not empty, or the backup is corrupt
 */
export async function restoreBackup(
  connection: Connection,
  backup: BackupReader,
  afterLoad: AfterLoad,
): Promise<Summary> {
  const names = new Set(backup.header.migrations);
  const dataSource = await new DataSource({
    ...dataSourceOptions(connection, 2, 'none'), // `migrate` requires two connections
    migrations: MIGRATIONS.filter(({ name }) => names.has(name)),
  }).initialize();
  try {
    await requireVersion(dataSource);
    await requireOlderSchema(dataSource, names);
    await inTransaction(dataSource, requireEmpty); // before the schema is created
    await migrate(dataSource);
    await inTransaction(dataSource, async (runner) => {
      await load(runner, backup);
      await afterLoad(runner);
    });
  } finally {
    await dataSource.destroy();
  }
  const migrated = await openDataSource(connection, 2);
  // The embedded PostgreSQL has no autovacuum, and the autovacuum of a server runs later.
  await migrated.query('ANALYZE').finally(() => migrated.destroy());
  return backup.summary;
}

/** @throws Error if migrations that are newer than the backup have run */
async function requireOlderSchema(dataSource: DataSource, names: Set<string>): Promise<void> {
  await requireKnownSchema(dataSource);
  const newer = (await executedMigrations(dataSource)).findLast((name) => !names.has(name));
  if (newer !== undefined)
    throw new Error(
      `The database has a newer schema than the backup (migration ${newer}). Restore into a new database, or another DATA_DIR`,
    );
}

async function inTransaction(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const stopKeepingAlive = keepAlive(runner);
  try {
    await runner.startTransaction();
    await work(runner);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined); // report the first error
    throw isSqlState(error, LOCK_NOT_AVAILABLE)
      ? new Error('A database table is in use. Close all other connections to the database', { cause: error })
      : error;
  } finally {
    stopKeepingAlive();
    await runner.release();
  }
}

/** @throws Error if a table contains rows, except the organization that migrations create */
async function requireEmpty(runner: QueryRunner): Promise<void> {
  for (const { name } of await findTables(runner)) {
    const others = name === 'organizations' ? `WHERE id <> '${DEFAULT_ORGANIZATION_ID}'` : '';
    const rows: object[] = await runner.query(`SELECT FROM ${escapeIdentifier(name)} ${others} LIMIT 1`);
    if (rows.length > 0)
      throw new Error(
        `The database is not empty (table ${name} has rows). Restore into a new database, or another DATA_DIR`,
      );
  }
}

async function load(runner: QueryRunner, backup: BackupReader): Promise<void> {
  await setLocalSettings(runner);
  const tables = await findTables(runner);
  await runner.query(`LOCK TABLE ${listed(tables.map(({ name }) => name))} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(runner); // no other client can write now
  const enableTriggers = await disableTriggers(runner, tables);
  await runner.query('DELETE FROM organizations');
  let loaded: TableLine | undefined;
  for await (const batch of backup.batches()) {
    const table = tables.find(({ name }) => name === batch.table.table);
    if (!table || !hasColumns(table, batch.table))
      throw new Error(
        `The backup contains the table ${batch.table.table}, which does not exist in the schema of its migrations`,
      );
    if (batch.table !== loaded) await setSequences(runner, table, batch.table);
    loaded = batch.table;
    if (batch.rows.length > 0) await insert(runner, table, batch);
  }
  await enableTriggers();
}

function hasColumns({ columns }: Table, line: TableLine): boolean {
  return columns.map(({ name }) => name).join('\n') === line.columns.join('\n');
}

/** Inserts rows in one statement, with one array for each column. */
async function insert(runner: QueryRunner, { name, columns }: Table, { rows }: Batch): Promise<void> {
  const names = listed(columns.map((column) => column.name));
  const values = columns.map((column) => `${escapeIdentifier(column.name)}::${column.type}`);
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`);
  await runner.query(
    `INSERT INTO ${escapeIdentifier(name)} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join(', ')} FROM unnest(${arrays.join(', ')}) AS backup (${names})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
}

async function setSequences(runner: QueryRunner, { columns }: Table, line: TableLine): Promise<void> {
  for (const { name, sequence } of columns) {
    const state = line.sequences[name];
    if (sequence !== null && state)
      await runner.query('SELECT setval($1, $2, $3)', [sequence, state.last_value, state.is_called]);
  }
}

/**
 * Disables the triggers of the tables, because the backup already contains the rows that they would write. This requires
 * ownership of the tables, but no superuser. Returns a function that enables them.
 */
async function disableTriggers(runner: QueryRunner, tables: Table[]): Promise<() => Promise<void>> {
  const triggers: { table: string; trigger: string }[] = await runner.query(
    `SELECT relname AS table, tgname AS trigger
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND relname = ANY($1) AND NOT tgisinternal AND tgenabled = 'O'`,
    [tables.map(({ name }) => name)],
  );
  const alter = async (action: 'DISABLE' | 'ENABLE') => {
    for (const { table, trigger } of triggers)
      await runner.query(
        `ALTER TABLE ${escapeIdentifier(table)} ${action} TRIGGER ${escapeIdentifier(trigger)}`,
      );
  };
  await alter('DISABLE');
  return () => alter('ENABLE');
}
