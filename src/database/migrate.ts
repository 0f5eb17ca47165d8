import type { DataSource } from 'typeorm';

// Any number, as long as nothing else on this database takes an advisory lock of the same one.
const MIGRATION_LOCK = 7_263_451_094;

/** Runs the pending migrations; of several processes that start at once, one runs them and the others wait. */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await dataSource.runMigrations();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query('RESET statement_timeout');
    }
  } finally {
    await runner.release();
  }
}
