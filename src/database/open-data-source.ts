import { DataSource } from 'typeorm';
import { type Connection, dataSourceOptions } from './data-source-options.js';
import { migrate } from './migrate.js';

const OLDEST_VERSION = 15;

/**
 * Opens the database, migrated.
 * @param poolSize connections at the most
 * @throws DatabaseUnavailableError, or Error for a PostgreSQL that is too old
 */
export async function openDataSource(connection: Connection, poolSize: number): Promise<DataSource> {
  const migrating = await new DataSource(dataSourceOptions(connection, 1, true)).initialize();
  try {
    await requireVersion(migrating);
    await migrate(migrating);
  } finally {
    await migrating.destroy();
  }
  return new DataSource(dataSourceOptions(connection, poolSize)).initialize();
}

async function requireVersion(dataSource: DataSource): Promise<void> {
  const rows: { version: string }[] = await dataSource.query(
    `SELECT current_setting('server_version') AS version`,
  );
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) return;
  throw new Error(`PostgreSQL ${version} is too old: version ${OLDEST_VERSION} or later is needed`);
}
