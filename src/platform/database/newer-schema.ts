import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';

type Database = Pick<DataSource, 'query'> | Pick<QueryRunner, 'query'>;

const KNOWN = new Set(MIGRATIONS.map(({ name }) => name));

/** The last of these migrations that this program does not have, or undefined. */
export function findUnknownMigration(names: string[]): string | undefined {
  return names.findLast((name) => !KNOWN.has(name));
}

/** The names of the migrations that have run, oldest first. Empty for a database without the schema. */
export async function executedMigrations(database: Database): Promise<string[]> {
  const [found]: { exists: boolean }[] = await database.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!found?.exists) return [];
  const rows: { name: string }[] = await database.query('SELECT name FROM migrations ORDER BY timestamp, id');
  return rows.map(({ name }) => name);
}

/**
 * Refuses a database that a newer program has migrated. Only a start is refused: a program that is already running goes on
 * while a newer one migrates, so that an upgrade can replace one process after the other.
 * @throws Error with the name of the last unknown migration
 */
export async function requireKnownSchema(database: Database): Promise<void> {
  const unknown = findUnknownMigration(await executedMigrations(database));
  if (unknown === undefined) return;
  throw new Error(
    `The database has the schema of a newer version of Status Pages (migration ${unknown}): upgrade the program, or restore a backup`,
  );
}
