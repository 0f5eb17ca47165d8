import { DataSource, type DataSourceOptions } from 'typeorm';
import {
  type Bounds,
  DatabaseUnavailableError,
  PROTOCOL_VIOLATION,
  SESSION_BOUNDS,
} from '@status-pages/resilient-pg';
import { type Connection, dataSourceOptions } from './data-source-options.js';
import { migrate } from './migrate.js';
import { requireKnownSchema } from './newer-schema.js';
import { isSqlState } from './statements.js';

const MIN_VERSION = 15;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs the pending migrations and opens the database.
 * @param poolSize the maximum number of connections
 * @throws DatabaseUnavailableError, or Error if PostgreSQL is too old, or the schema is newer than this version
 */
export async function openDataSource(
  connection: Connection,
  poolSize: number,
  entities?: DataSourceOptions['entities'],
): Promise<DataSource> {
  await withMigrations(connection, migrateAsOwner);
  return openBounded(connection, (bounds) => dataSourceOptions(connection, poolSize, bounds, entities));
}

/**
 * Opens the database for migrations, which have no time limits.
 *
 *     await withMigrations({ url }, (dataSource) => migrate(dataSource));
 *
 * @throws DatabaseUnavailableError, or Error if PostgreSQL is too old, or the schema is newer than this version
 */
export async function withMigrations<Result>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  // The second connection holds the lock.
  const dataSource = await new DataSource(dataSourceOptions(connection, 2, 'none')).initialize();
  try {
    await requireVersion(dataSource);
    await requireKnownSchema(dataSource);
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function migrateAsOwner(dataSource: DataSource): Promise<void> {
  try {
    await migrate(dataSource);
  } catch (cause) {
    if (!isSqlState(cause, INSUFFICIENT_PRIVILEGE)) throw cause;
    const { message } = cause instanceof Error ? cause : new Error();
    const advice = 'Run the migrations as the owner of the schema';
    throw new Error(
      `a migration is pending, but the role in DATABASE_URL is not allowed to change the schema. ${advice} (${message})`,
      { cause },
    );
  }
}

/** Opens the database with connection parameters, or with SET LOCAL if a pooler does not support them, see {@link Bounds}. */
async function openBounded(
  connection: Connection,
  options: (bounds: Bounds) => DataSourceOptions,
): Promise<DataSource> {
  try {
    const dataSource = await new DataSource(options('session')).initialize();
    if ('socketDir' in connection || (await hasSessionBounds(dataSource))) return dataSource;
    await dataSource.destroy();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) || error.code !== PROTOCOL_VIOLATION) throw error;
  }
  return new DataSource(options('transaction')).initialize();
}

/** Returns whether PostgreSQL received the connection parameters. Some poolers ignore them. */
async function hasSessionBounds(dataSource: DataSource): Promise<boolean> {
  const rows: { name: string; setting: string }[] = await dataSource.query(
    `SELECT name, setting FROM pg_settings WHERE name = ANY($1)`,
    [Object.keys(SESSION_BOUNDS)],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  return Object.entries(SESSION_BOUNDS).every(([name, value]) => settings.get(name) === String(value));
}

/** @throws Error if PostgreSQL is too old */
export async function requireVersion(dataSource: DataSource): Promise<void> {
  const rows: { version: string }[] = await dataSource.query(
    `SELECT current_setting('server_version') AS version`,
  );
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) >= MIN_VERSION) return;
  throw new Error(`PostgreSQL ${version} is too old. Version ${MIN_VERSION} or later is required`);
}
