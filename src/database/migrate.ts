import { type DataSource, MigrationExecutor } from 'typeorm';

// Any number, as long as nothing else on this database takes an advisory lock of the same one.
const MIGRATION_LOCK = 7_263_451_094;

/**
 * Runs the pending migrations, all or nothing. Of several processes that start at once, one runs them and the others
 * wait; all in one transaction, which is what the connections of the embedded PostgreSQL have of their own.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, manager.queryRunner);
    executor.transaction = 'all'; // of the pending ones; it joins ours
    await executor.executePendingMigrations();
  });
}
