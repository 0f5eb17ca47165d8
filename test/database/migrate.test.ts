import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, directly, type TestDatabase } from '../support/database.js';
import { until } from '../support/server.js';

const MIGRATION_LOCK = 7_263_451_094;

describe('migration', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  let other: Client;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    other = new Client(directly(database.env.DATABASE_URL));
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

  const found = async (condition: string): Promise<boolean> => {
    await other.query('SELECT pg_stat_clear_snapshot()'); // kept until the end of a transaction
    const { rowCount } = await other.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
    );
    return rowCount === 1;
  };

  /** Whether a session has waited for a table lock for longer than the statement timeout of this database. */
  const waits = () => found(`wait_event_type = 'Lock' AND clock_timestamp() - query_start > '500 ms'`);

  const recorded = async () => (await other.query('SELECT FROM migrations')).rowCount;

  /** Reverts the migration that builds `api_keys_active_idx`. */
  async function forgetIndex(): Promise<void> {
    await other.query('DROP INDEX api_keys_active_idx');
    await other.query(`DELETE FROM migrations WHERE name LIKE 'ActiveApiKeys1%'`);
  }

  async function expectValidIndex(): Promise<void> {
    const { rows } = await other.query(
      `SELECT indisvalid AS valid, pg_get_indexdef(indexrelid) AS definition
         FROM pg_index WHERE indexrelid = 'api_keys_active_idx'::regclass`,
    );
    expect(rows).toMatchObject([{ valid: true, definition: expect.stringContaining('LEAST(expires_at') }]);
    expect(await recorded()).toBe(dataSource.migrations.length);
  }

  /** Writes like a request, which fails after its timeout. */
  async function write(): Promise<void> {
    const bounds = { statement_timeout: 4_000, lock_timeout: 4_000 };
    const writer = new Client({ connectionString: directly(database.env.DATABASE_URL), ...bounds });
    await writer.connect();
    await writer.query('UPDATE api_keys SET name = name').finally(() => writer.end());
  }

  it('ignores the timeouts that the database sets', async () => {
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrating = migrate(dataSource);
    const polls = `query = 'COMMIT' AND clock_timestamp() - backend_start > '700 ms'`;
    await Promise.race([until(() => found(polls)), migrating]);
    await other.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect(await migrating).toHaveLength(dataSource.migrations.length);
    expect(await recorded()).toBe(dataSource.migrations.length);
  });

  it('lets others write while it waits for a table lock', async () => {
    // Its index is rebuilt.
    await other.query('DROP INDEX api_keys_list_idx');
    await other.query(`DELETE FROM migrations WHERE name LIKE 'ListApiKeys1%'`);
    await other.query('BEGIN');
    await other.query('LOCK TABLE api_keys IN ROW EXCLUSIVE MODE');
    await expect(migrate(dataSource, 1)).rejects.toThrow(
      'A migration could not acquire a table lock. End the long-running transaction that holds it',
    );

    const migrating = migrate(dataSource);
    await until(waits);
    await write();
    await other.query('COMMIT');
    await migrating;
    expect(await recorded()).toBe(dataSource.migrations.length);
  });

  it('builds an index without blocking writes, while other processes wait for it', async () => {
    await forgetIndex();
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await other.query('SELECT FROM api_keys');
    const processes = await Promise.all(
      [1, 2].map(() =>
        new DataSource(dataSourceOptions({ url: database.env.DATABASE_URL }, 2, 'none')).initialize(),
      ),
    );
    const migrating = Promise.all(processes.map((one) => migrate(one)));
    await until(() => found(`query LIKE 'CREATE INDEX%' AND clock_timestamp() - query_start > '500 ms'`));
    await write();
    await other.query('COMMIT');
    expect((await migrating).map((names) => names.length).toSorted()).toEqual([0, 1]);
    await expectValidIndex();
    await Promise.all(processes.map((one) => one.destroy()));
  });

  it('builds an index although others are trying to take the lock when it begins', async () => {
    const name = new URL(database.env.DATABASE_URL).pathname.slice(1);
    await other.query(`
      CREATE FUNCTION pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          IF pg_catalog.pg_try_advisory_xact_lock($1) THEN RETURN true; END IF;
          PERFORM pg_sleep(0.3);
          RETURN false;
        END $$`);
    await other.query(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
    await forgetIndex();
    const processes = await Promise.all(
      [1, 2, 3].map(() =>
        new DataSource(dataSourceOptions({ url: database.env.DATABASE_URL }, 2, 'none')).initialize(),
      ),
    );
    const done = await Promise.all(processes.map((one) => migrate(one)));
    expect(done.map((names) => names.length).toSorted()).toEqual([0, 0, 1]);
    await expectValidIndex();
    await Promise.all(processes.map((one) => one.destroy()));
    await other.query(`ALTER DATABASE ${name} RESET search_path`);
    await other.query('DROP FUNCTION public.pg_try_advisory_xact_lock(bigint)');
  });

  it('rebuilds an index after an interruption', async () => {
    await forgetIndex();
    const [organization, ...keys] = Array.from({ length: 3 }, () => randomUUID());
    await other.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Twice')`, [organization]);
    for (const key of keys)
      await other.query(
        `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes) VALUES ($1, $2, 'Old', 'sp_00000', $3, '{}')`,
        [key, organization, Buffer.from(key)],
      );
    const failed = other.query(
      'CREATE UNIQUE INDEX CONCURRENTLY api_keys_active_idx ON api_keys (organization_id)',
    );
    await expect(failed).rejects.toThrow('could not create unique index');
    await migrate(dataSource);
    await expectValidIndex();
  });

  it('needs no right to change the schema after it has run', async () => {
    const url = new URL(directly(database.env.DATABASE_URL));
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const reading = await new DataSource(dataSourceOptions({ url: url.href }, 2, 'none')).initialize();
    expect(await migrate(reading)).toEqual([]);
    await reading.destroy();
  });
});
