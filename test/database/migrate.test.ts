import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { createDatabase, onPostgres, type TestDatabase } from '../support/database.js';
import { until } from '../support/server.js';

const MIGRATION_LOCK = 7_263_451_094;

describe.runIf(onPostgres)('a migration', () => {
  let database: TestDatabase;
  let other: Client;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    other = new Client(database.env.DATABASE_URL);
    await other.connect();
    const name = new URL(database.env.DATABASE_URL).pathname.slice(1);
    for (const timeout of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await other.query(`ALTER DATABASE ${name} SET ${timeout} = '300ms'`);
    const options = dataSourceOptions({ url: database.env.DATABASE_URL }, 2, 'none');
    dataSource = await new DataSource(options).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await other.end();
    await database.drop();
  });

  /** Whether a session has waited for a lock for longer than a statement may take in this database. */
  const waits = async (): Promise<boolean> => {
    const { rowCount } = await other.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > '500 ms'`,
    );
    return rowCount === 1;
  };

  it('is ended by no timeout that the database sets', async () => {
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrating = migrate(dataSource);
    await Promise.race([until(waits), migrating]);
    await other.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await migrating;
    expect((await other.query('SELECT FROM migrations')).rowCount).toBe(dataSource.migrations.length);
  });

  it('that waits for a table lets others write to it, and runs once the table is free', async () => {
    // Its index is made anew.
    await other.query('DROP INDEX api_keys_list_idx');
    await other.query(`DELETE FROM migrations WHERE name LIKE 'ListApiKeys1%'`);
    await other.query('BEGIN');
    await other.query('LOCK TABLE api_keys IN ROW EXCLUSIVE MODE');
    await expect(migrate(dataSource, 1)).rejects.toThrow(
      'A migration could not lock a table: end the long transaction that holds it',
    );

    const migrating = migrate(dataSource);
    await until(waits);
    const bounds = { statement_timeout: 4_000, lock_timeout: 4_000 };
    const writer = new Client({ connectionString: database.env.DATABASE_URL, ...bounds });
    await writer.connect();
    await writer.query('UPDATE api_keys SET name = name');
    await writer.end();
    await other.query('COMMIT');
    await migrating;
    expect((await other.query('SELECT FROM migrations')).rowCount).toBe(dataSource.migrations.length);
  });
});
