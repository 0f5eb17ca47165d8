import assert from 'node:assert/strict';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';
import { callCli, Program } from '../support/process.js';
import { openClient, useCluster } from './support/cluster.js';
import { Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
afterEach(() => Program.killAll());

/** The first migration that can run while an older version serves (see `docs/migrations.md`). */
const FIRST_ONLINE = 'ActiveApiKeys1763652300000';

/**
 * The number of rows of each large table. Most of the time goes into filling the tables; `ROWS=10000` is
 * quick.
 */
const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const TIMEOUT_MS = 1_200_000;

/** Tables that the current version uses when it writes status pages and keys. */
const FORMER = ['events', 'webhook_endpoints', 'former_slugs', 'status_page_domains', 'domain_changes'];

/**
 * Creates a schema behind `public` in the search path of new connections, with the tables that the current version uses. The reverted migrations remove them from `public`, where `cli migrate` creates them again.
 */
async function createFormerTables(url: string): Promise<void> {
  const client = await openClient(url);
  await client.query('CREATE SCHEMA former');
  for (const table of FORMER)
    await client.query(`CREATE TABLE former.${table} (LIKE public.${table} INCLUDING DEFAULTS)`);
  // The current version also writes columns that a later migration adds to a table which an earlier one creates.
  await client.query(`
    CREATE FUNCTION former.skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE FUNCTION former.add_columns() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF to_regclass('public.events') IS NOT NULL THEN
        ALTER TABLE public.events ADD COLUMN IF NOT EXISTS actor_type text, ADD COLUMN IF NOT EXISTS actor_id uuid,
          ADD COLUMN IF NOT EXISTS actor_name text, ADD COLUMN IF NOT EXISTS via text, ADD COLUMN IF NOT EXISTS request_id uuid,
          ADD COLUMN IF NOT EXISTS changes jsonb;
        -- The former version did not record events without a project, such as those of keys.
        CREATE OR REPLACE TRIGGER skip_log BEFORE INSERT ON public.events
          FOR EACH ROW WHEN (NEW.project_id IS NULL) EXECUTE FUNCTION former.skip();
      END IF;
    END $$;
    CREATE EVENT TRIGGER add_columns ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION former.add_columns()`);
  await client.query(
    `ALTER DATABASE ${client.escapeIdentifier(client.database ?? '')} SET search_path = public, former`,
  );
  await client.end();
}

/**
 * Reverts the migrations that are written for a running service. Returns their names, oldest first. The test
 * has no older version: the current version replaces it, and gets back the columns and tables that it uses.
 */
async function undoOnline(url: string): Promise<string[]> {
  const names = MIGRATIONS.map(({ name }) => name);
  const online = names.slice(names.indexOf(FIRST_ONLINE));
  const dataSource = await new DataSource(dataSourceOptions({ url }, 1, 'none')).initialize();
  for (let undone = 0; undone < online.length; undone++) await dataSource.undoLastMigration();
  await dataSource.query('ALTER TABLE api_keys ADD COLUMN lineage uuid');
  await dataSource.query('ALTER TABLE incidents ADD COLUMN affects_monitors boolean NOT NULL DEFAULT true');
  await dataSource.query(
    'ALTER TABLE monitor_states ADD COLUMN is_operational_until_reported boolean NOT NULL DEFAULT false',
  );
  await dataSource.query('ALTER TABLE monitor_days ADD COLUMN rules_version smallint NOT NULL DEFAULT 1');
  await dataSource.query(
    'ALTER TABLE status_page_revisions ADD COLUMN actor_type text, ADD COLUMN actor_id uuid, ADD COLUMN actor_name text',
  );
  await dataSource.destroy();
  return online;
}

/** Inserts status pages into a project, and keys into its organization. */
async function fill(url: string, project: string): Promise<void> {
  const client = await openClient(url);
  await client.query(
    `INSERT INTO status_pages (id, organization_id, project_id, name, slug, created_at)
     SELECT gen_random_uuid(), organization_id, id, 'Page ' || n, 'filled-' || n, now() - n * interval '1 second'
       FROM projects, generate_series(1, $2::integer) AS n WHERE id = $1`,
    [project, ROWS],
  );
  await client.query(
    `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes, revoked_at)
     SELECT gen_random_uuid(), organization_id, 'Key ' || n, 'sp_00000', sha256(('filled ' || n)::bytea), '{}', now()
       FROM projects, generate_series(1, $2::integer) AS n WHERE id = $1`,
    [project, ROWS],
  );
  await client.query('ANALYZE status_pages, api_keys');
  await client.end();
}

describe(`migrations of ${ROWS} pages and keys`, () => {
  it(
    'let the old version read and write without a failed request',
    async () => {
      const { seed } = cluster.current;
      const env = await cluster.current.database();
      await createFormerTables(env.DATABASE_URL);
      const old = await Service.start(env, seed);
      const online = await undoOnline(env.DATABASE_URL);
      await fill(env.DATABASE_URL, seed.project);
      const writers = await Writer.create(old, 8);
      const acknowledged = () => writers.reduce((sum, writer) => sum + writer.count('acknowledged'), 0);
      const stream = new Stream(old, writers);

      const begun = performance.now();
      await stream.reaches(300);
      const before = acknowledged() / (performance.now() - begun);

      const [started, count] = [performance.now(), acknowledged()];
      const keys = (async () => {
        for (let key = 0; key < 10; key++) {
          const json = { name: 'Made meanwhile', scopes: ['status_pages:read'] };
          assert.equal((await old.ask('/v1/api-keys', { method: 'POST', json })).status, 201);
        }
      })();
      const { code, stdout, stderr } = await callCli(env, 'migrate');
      const ms = performance.now() - started;
      const during = (acknowledged() - count) / ms;
      await keys;
      await stream.reaches(100);
      await stream.stop();

      expect([code, stderr.split('\n').length]).toEqual([0, 2]);
      expect(JSON.parse(stdout)).toEqual({ dry_run: false, migrations: online });
      expect(writers.map((writer) => [writer.count('refused'), writer.count('unknown')])).toEqual(
        writers.map(() => [0, 0]),
      );
      await expectSoundPages(writers);
      // The share includes the CPU time for the startup of the command.
      process.stdout.write(
        `migrated ${ROWS} rows in ${Math.round(ms)} ms, at ${(during / before).toFixed(2)} of the writes before\n`,
      );
      const again = await callCli(env, 'migrate', '--dry-run');
      expect(JSON.parse(again.stdout)).toEqual({ dry_run: true, migrations: [] });
      await old.stop();
    },
    TIMEOUT_MS,
  );
});
