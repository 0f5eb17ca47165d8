import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';
import { Program, useDirectory } from '../support/process.js';
import { until } from '../support/server.js';
import { openClient, useCluster } from './support/cluster.js';
import { seedDatabase, useSeededDirectory } from './support/seed.js';
import { NoAnswerError, Service } from './support/service.js';
import { TcpProxy } from './support/tcp-proxy.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const cluster = useCluster();
const seeded = useSeededDirectory();
const directory = useDirectory();
afterEach(() => Program.killAll());

const DATABASES = [
  { name: 'PostgreSQL', env: () => cluster.current.database(), seed: () => cluster.current.seed },
  { name: 'the embedded PostgreSQL', env: () => seeded.copy(), seed: () => seeded.seed },
];

/** The environment of a server on one of the two databases. */
interface DatabaseEnv {
  DATABASE_URL: string;
  DATA_DIR?: string;
}

/** The number of latest migrations that a test reverts. */
const UNDONE = 3;

/** The directory of the PostgreSQL files. */
const filesOf = ({ DATA_DIR }: DatabaseEnv): string =>
  DATA_DIR === undefined ? cluster.current.files : join(DATA_DIR, 'postgres');

/** Works on a database that no server uses. */
async function onDatabase(
  { DATABASE_URL: url, DATA_DIR }: DatabaseEnv,
  work: (client: Client, connection: Connection) => Promise<void>,
): Promise<void> {
  if (DATA_DIR === undefined) {
    const client = await openClient(url);
    return work(client, { url }).finally(() => client.end());
  }
  const embedded = await openEmbedded(DATA_DIR, 'client');
  const host = encodeURIComponent(embedded.socketDir);
  const client = await openClient(`postgres://postgres@/postgres?host=${host}`);
  return work(client, embedded)
    .finally(() => client.end())
    .finally(() => embedded.close());
}

async function countMigrations(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ run: number }>('SELECT count(*)::int AS run FROM migrations');
  return rows[0]?.run;
}

/** Expects that each migration has run once and that no index is incomplete. */
async function expectComplete(client: Client): Promise<void> {
  expect(await countMigrations(client)).toBe(MIGRATIONS.length);
  const { rows } = await client.query('SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid');
  expect(rows).toEqual([]);
}

describe.each(DATABASES)('kill -9 of a server with $name', ({ env: createEnv, seed }) => {
  it('during a stream of updates loses no acknowledged update', async () => {
    const env = await createEnv();
    let service = await Service.start(env, seed());
    const writers = await Writer.create(service, 8);
    for (let round = 0; round < 3; round++) {
      const stream = new Stream(service, writers);
      await stream.reaches(80);
      await service.kill();
      await stream.reaches(1, 'unknown').catch(() => undefined);
      await stream.stop();
      service.expectSoundLog();
      service = await Service.start(env, seed());
      for (const writer of writers) writer.use(service);
      await expectSoundPages(writers);
    }
    await service.recovers();
    await service.stop();
  });

  it('during a migration leaves the data unchanged for the next startup', async () => {
    const env = await createEnv();
    const mark = join(filesOf(env), 'mark');
    await onDatabase(env, async (client, connection) => {
      const dataSource = await new DataSource(dataSourceOptions(connection, 1, 'none')).initialize();
      for (let undone = 0; undone < UNDONE; undone++) await dataSource.undoLastMigration();
      await dataSource.destroy();
      // Each statement of the pending migrations leaves a mark outside of the transaction, and then takes a
      // while.
      await client.query(`
        CREATE FUNCTION linger() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN
          EXECUTE format('COPY (SELECT 1) TO %L', current_setting('data_directory') || '/mark');
          PERFORM pg_sleep(0.5);
        END $$`);
      await client.query('CREATE EVENT TRIGGER linger ON ddl_command_end EXECUTE FUNCTION linger()');
    });
    const first = Service.spawn(env);
    await until(() => Promise.resolve(existsSync(mark)));
    first.child.kill('SIGKILL');
    await first.program.exit();
    await rm(mark);
    expect(first.program.stdout).not.toContain('listens on');
    await onDatabase(env, async (client) => {
      expect(await countMigrations(client)).toBeLessThan(MIGRATIONS.length);
      await client.query('DROP EVENT TRIGGER linger');
    });

    const service = await Service.start(env, seed());
    await service.recovers();
    const list = `/v1/status-pages?project_id=${seed().project}&limit=100`;
    expect((await service.ask<{ data: unknown[] }>(list)).body.data).toHaveLength(25);
    await service.stop();
    await onDatabase(env, expectComplete);
  });

  it('between a commit and its response duplicates nothing on a retry', async () => {
    const env = await createEnv();
    const first = await Service.start(env, seed());
    const network = await TcpProxy.start(Number(new URL(first.url).port));
    const json = { project_id: seed().project, name: 'Made once' };
    const create = (service: Service) =>
      service.ask<{ data: { id: string } }>('/v1/monitors', {
        method: 'POST',
        json,
        headers: { 'Idempotency-Key': 'made-once' },
      });
    const made = async (service: Service) => {
      const list = `/v1/monitors?project_id=${seed().project}&limit=100`;
      const { body } = await service.ask<{ data: { id: string; name: string }[] }>(list);
      return body.data.filter(({ name }) => name === json.name).map(({ id }) => id);
    };
    network.become({ kind: 'swallow-answers' });
    const unanswered = create(first.through(network)).catch((error: unknown) => error);
    const [id = ''] = await until(async () => {
      const ids = await made(first);
      return ids.length > 0 && ids;
    });
    await first.kill();
    await network.stop();
    expect(await unanswered).toBeInstanceOf(NoAnswerError);

    const second = await Service.start(env, seed());
    for (let retry = 0; retry < 2; retry++) {
      const { status, headers, body } = await create(second);
      expect([status, headers['idempotency-replayed'], body.data.id]).toEqual([201, 'true', id]);
    }
    expect(await made(second)).toEqual([id]);
    await second.stop();
  });
});

describe('kill -9 in the middle of a dry run', () => {
  it('leaves every table as it was, and no lock', async () => {
    const env = await cluster.current.database();
    const { seed } = cluster.current;
    const service = await Service.start(env, seed);
    const database = new URL(env.DATABASE_URL).pathname.slice(1);
    const contents = async (client: Client): Promise<object[]> => {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
      );
      const hashes = tables.map(
        ({
          name,
        }) => `SELECT '${name}' AS name, md5(coalesce(string_agg(value, '' ORDER BY value), '')) AS hash
          FROM (SELECT (to_jsonb(one) - 'last_used_at')::text AS value FROM "${name}" AS one) AS row`,
      );
      return (await client.query<object>(hashes.join(' UNION ALL '))).rows;
    };
    await onDatabase(env, async (client) => {
      const before = await contents(client);
      // An event is recorded after the incident: the dry run has written it, and waits.
      await client.query('BEGIN; LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE');
      const json = { project_id: seed.project, title: 'Never' };
      const unanswered = service
        .ask('/v1/incidents?dry_run=true', { method: 'POST', json })
        .catch((error: unknown) => error);
      await until(async () => {
        const [waiting] = await cluster.current.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO events%' AND datname = '${database}'`,
        );
        return waiting?.count === 1;
      });
      await service.kill();
      expect(await unanswered).toBeInstanceOf(NoAnswerError);
      await client.query('COMMIT');
      await until(async () => {
        const [left] = await cluster.current.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = '${database}' AND xact_start IS NOT NULL`,
        );
        return left?.count === 0;
      });
      expect(await contents(client)).toEqual(before);
    });
    const second = await Service.start(env, seed);
    await second.recovers();
    await second.stop();
  });
});

describe('kill -9 during the first startup', () => {
  it('lets the next startup repair the embedded PostgreSQL', async () => {
    const DATA_DIR = join(directory.path, 'data');
    const env = { DATA_DIR };
    for (const path of ['lock', 'postgres.new/PG_VERSION', 'postgres.new/global/pg_control', 'postgres']) {
      const { child, program } = Service.spawn(env);
      await until(() => Promise.resolve(existsSync(join(DATA_DIR, path))));
      child.kill('SIGKILL');
      await program.exit();
      expect([program.stdout, program.stderr]).toEqual(['', '']);
    }
    const key = await seedDatabase(env);
    expect((await readdir(DATA_DIR)).toSorted()).toEqual(['lock', 'postgres', 'run']);
    const service = await Service.start(env, key);
    await service.recovers();
    await service.stop();
  });

  it('leaves only complete migrations on PostgreSQL, even for several processes', async () => {
    await cluster.current.sql('CREATE DATABASE empty');
    const env = { DATABASE_URL: cluster.current.urlOf('empty'), EMBEDDED: '' };
    await onDatabase(env, async (client) => {
      await client.query(`
        CREATE FUNCTION linger() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.1); END $$`);
      await client.query('CREATE EVENT TRIGGER linger ON ddl_command_end EXECUTE FUNCTION linger()');
    });
    const starts = [1, 2, 3].map(() => Service.spawn(env));
    // One of them migrates, the others have tried to take the lock. All are killed, and the next one starts again.
    await until(async () => {
      const [sessions] = await cluster.current.sql<{ migrate: number; wait: number }>(
        `SELECT count(*) FILTER (WHERE wait_event = 'PgSleep')::int AS migrate,
                count(*) FILTER (WHERE state = 'idle' AND query = 'COMMIT')::int AS wait
           FROM pg_stat_activity WHERE datname = 'empty'`,
      );
      return sessions?.migrate === 1 && sessions.wait === 2;
    });
    for (const { child } of starts) child.kill('SIGKILL');
    await Promise.all(starts.map(({ program }) => program.exit()));
    await onDatabase(env, async (client) => {
      await client.query('DROP EVENT TRIGGER linger');
    });
    const service = await Service.start(env, await seedDatabase(env));
    await service.recovers();
    await service.stop();
    await onDatabase(env, expectComplete);
  });
});
