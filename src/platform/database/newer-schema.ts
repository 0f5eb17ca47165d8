import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';

type Database = Pick<DataSource, 'query'> | Pick<QueryRunner, 'query'>;

const isKnown = (migration: string): boolean => MIGRATIONS.some(({ name }) => name === migration);

/** Returns the last of these migrations that this version does not contain, or undefined. */
export function findUnknownMigration(names: string[]): string | undefined {
  return names.findLast((name) => !isKnown(name));
}

/** Returns the names of the executed migrations, oldest first. Empty for a database without the schema. */
export async function executedMigrations(database: Database): Promise<string[]> {
  const [found]: { exists: boolean }[] = await database.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!found?.exists) return [];
  const rows: { name: string }[] = await database.query('SELECT name FROM migrations ORDER BY timestamp, id');
  return rows.map(({ name }) => name);
}

/**
 * Rejects a database that a newer version has migrated, but only at startup. A running process continues while a newer version
 * migrates, so that an upgrade can replace one process at a time.
 * @throws Error with the name of the last unknown migration
 */
export async function requireKnownSchema(database: Database): Promise<void> {
  const unknown = findUnknownMigration(await executedMigrations(database));
  if (unknown === undefined) return;
  throw new Error(
    `The database was migrated by a newer version of Status Pages (migration ${unknown}). Upgrade Status Pages, or restore a backup`,
  );
}
