import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Pool } from '@status-pages/resilient-pg';
import { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { StatementRunner } from '../../src/platform/database/statement-runner.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import { StatusPagesRepository } from '../../src/status-pages/status-pages.repository.js';
import { passTime } from '../support/clock.js';
import { indexesOf } from '../support/catalogue.js';
import { useTestServer, until } from '../support/server.js';

// Its own server: an owner with a slow read shares no connection for ten seconds, and driven time makes a read seem slow.
const server = useTestServer({});
let dataSource: DataSource;

beforeAll(async () => {
  dataSource = server.app.get(DataSource);
});

describe('schema', () => {
  it('equals the schema that the entities describe', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('changes only by migrations, never by synchronization', async () => {
    expect(dataSource.options).toMatchObject({ synchronize: false, migrationsTransactionMode: 'each' });
    const before = await server.sql('SELECT * FROM migrations');
    await Promise.all([migrate(dataSource), migrate(dataSource), migrate(dataSource)]);
    expect(await server.sql('SELECT * FROM migrations')).toEqual(before);
  });

  it('names the columns like the fields of the API', async () => {
    const rows = await server.sql<{ column_name: string }[]>(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'status_pages'`,
    );
    const page = await server.page(await server.tenant());
    expect(rows.map(({ column_name }) => column_name).toSorted()).toEqual(
      [...Object.keys(page), 'organization_id', 'revision'].toSorted(),
    );
  });

  it('contains one organization initially', async () => {
    const rows = await server.sql<object[]>('SELECT id, name FROM organizations ORDER BY created_at LIMIT 1');
    expect(rows).toEqual([{ id: '00000000-0000-7000-8000-000000000001', name: 'Default' }]);
  });

  it('stores times with millisecond precision', async () => {
    const rows = await server.sql<object[]>(
      `SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type LIKE 'timestamp%' AND datetime_precision <> 3`,
    );
    expect(rows).toEqual([]);
  });

  it('contains a unique index on the hash of API keys', async () => {
    const indexes = (await indexesOf(server)).filter(
      ({ table, columns, constrains }) => table === 'api_keys' && constrains && columns.join() === 'key_hash',
    );
    expect(indexes).toHaveLength(1);
  });

  it('formats times in UTC with milliseconds in every session time zone', async () => {
    const tenant = await server.tenant();
    const { id } = await server.page(tenant);
    const at = '2026-03-02T00:00:00.000Z';
    await server.sql('UPDATE status_pages SET created_at = $1, updated_at = $1 WHERE id = $2', [at, id]);
    const shown = await dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL TIME ZONE 'Asia/Kolkata'`);
      const access = { organization_id: tenant.organization_id, project_ids: null };
      return server.app.get(StatusPagesRepository).findOwn(access, id, manager);
    });
    expect(JSON.parse(String(shown?.text))).toMatchObject({ created_at: at, updated_at: at });
  });

  it('contains organization_id in every table with tenant data', async () => {
    const rows = await server.sql<{ table_name: string }[]>(
      `SELECT table_name FROM information_schema.tables AS tables
        WHERE table_schema = 'public' AND NOT EXISTS (
          SELECT FROM information_schema.columns AS columns
           WHERE columns.table_name = tables.table_name AND column_name = 'organization_id')
        ORDER BY table_name`,
    );
    expect(rows.map(({ table_name }) => table_name)).toEqual([
      'confirmation_mails',
      'domain_changes',
      'member_link_requests',
      'migrations',
      'organizations',
      'secrets',
    ]);
  });
});

describe('updates', () => {
  /** The tables whose updates change only columns without an index (docs/scaling.md). */
  const UPDATED = ['api_keys', 'incident_updates', 'incidents', 'maintenances', 'monitors', 'status_pages'];

  /** The storage parameters of each table in PostgreSQL. */
  async function optionsOf(): Promise<Map<string, Set<string>>> {
    const rows = await server.sql<{ relname: string; options: string[] }[]>(
      `SELECT relname, COALESCE(reloptions, '{}') AS options FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    return new Map(rows.map(({ relname, options }) => [relname, new Set(options)]));
  }

  it('use free space in their block', async () => {
    const options = await optionsOf();
    for (const table of UPDATED)
      expect([table, options.get(table)?.has('fillfactor=90')]).toEqual([table, true]);
    const settings = ['vacuum', 'vacuum_insert', 'analyze'].map(
      (name) => `autovacuum_${name}_scale_factor=0.02`,
    );
    const others = [...options].filter(([, one]) => !settings.every((setting) => one.has(setting)));
    expect(others.map(([name]) => name).toSorted()).toEqual([
      'deferred_status_changes',
      'incident_impacts',
      'migrations',
      'organizations',
      'projects',
    ]);
  });

  it('change no index if they set a name or a last use', async () => {
    const rows = await server.sql<{ indexdef: string }[]>(
      'SELECT indexdef FROM pg_indexes WHERE tablename = ANY($1)',
      [UPDATED],
    );
    expect(rows.length).toBeGreaterThan(UPDATED.length);
    const changed = /\b(name|description|message|updated_at|revision|last_used_at)\b/;
    expect(rows.filter(({ indexdef }) => changed.test(indexdef))).toEqual([]);
  });
});

describe('transactions', () => {
  const names = async () =>
    (await server.sql<{ name: string }[]>('SELECT name FROM organizations')).map(({ name }) => name);
  const insert = `INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), $1)`;

  it('run isolated from each other', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        dataSource.transaction(async (manager) => {
          await manager.query(insert, [`isolated-${index}`]);
          await manager.query('SELECT 1');
          if (index % 2 === 0) throw new Error('rolled back');
          await manager.query('SELECT 1');
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, index) => (index % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    const odd = Array.from({ length: 10 }, (_, index) => `isolated-${2 * index + 1}`);
    expect((await names()).filter((name) => name.startsWith('isolated-')).toSorted()).toEqual(odd.toSorted());
  });

  it('leave no changes behind if a statement fails', async () => {
    await expect(
      dataSource.transaction(async (manager) => {
        await manager.query(insert, ['failed']);
        await manager.query('SELECT 1 / 0');
      }),
    ).rejects.toThrow('division by zero');
    expect(await names()).not.toContain('failed');
    await Promise.all(Array.from({ length: 20 }, () => server.sql('SELECT 1')));
  });

  it('roll back if their connection breaks', async () => {
    const runner = dataSource.createQueryRunner();
    const connection: { end(): Promise<void> } = await runner.connect();
    await runner.startTransaction();
    await runner.query(insert, ['cut']);
    await connection.end();
    await runner.release().catch(() => undefined);
    await until(async () => (await server.ask('/health/ready')).status === 200);
    expect(await names()).not.toContain('cut');
  });
});

describe('concurrent reads', { tags: ['postgres'] }, () => {
  /** Reads of the service belong to others. Driven time can make these seem slow, and a slow read shares no connection. */
  const OWNER = randomUUID();
  const read = (divisor: number) =>
    server.app
      .get(StatementRunner)
      .read<{ pid: number; quotient: number }>(
        'SELECT pg_backend_pid() AS pid, 1000 / $2::int AS quotient, pg_sleep(0.05) WHERE $1::text IS NOT NULL',
        [OWNER, divisor],
      );

  it('share two of ten connections and get their own rows', { tags: ['sessions'] }, async () => {
    const divisors = Array.from({ length: 16 }, (_, index) => index + 1);
    await Promise.all(divisors.map(read)); // opens the connections
    await passTime(10_000); // after slow reads, which have connections of their own
    // What the service does in this time reads, too. Driven time makes such a read look slow until it ends.
    const { driver } = server.app.get(DataSource);
    if (!(driver instanceof PostgresDriver)) throw new Error('the driver is not the PostgreSQL driver');
    const pool: Pool = driver.master;
    while (pool.idleCount < pool.totalCount) await setImmediate();
    const rows = (await Promise.all(divisors.map(read))).flat();
    expect(rows.map(({ quotient }) => quotient)).toEqual(
      divisors.map((divisor) => Math.trunc(1000 / divisor)),
    );
    const answered = [...new Set(rows.map(({ pid }) => pid))].map(
      (connection) => rows.filter(({ pid }) => pid === connection).length,
    );
    expect(answered.toSorted((a, b) => b - a)).toEqual([4, 4, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('on a shared connection fail independently', async () => {
    const [failed, ...others] = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(read));
    expect(failed?.status).toBe('rejected');
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
    expect(await read(10)).toMatchObject([{ quotient: 100 }]);
  });

  it('fail without affecting later ones if they cannot be prepared', async () => {
    const readNothing = () => server.app.get(StatementRunner).read('SELECT nothing FROM status_pages', []);
    const settled = await Promise.allSettled([readNothing(), readNothing(), readNothing(), readNothing()]);
    expect(settled.map(({ status }) => status)).toEqual(settled.map(() => 'rejected'));
    expect(await read(10)).toMatchObject([{ quotient: 100 }]);
  });

  it('leave connections for transactions', async () => {
    const reading = new AbortController();
    const readOn = async () => {
      while (!reading.signal.aborted) await read(1);
    };
    const readers = Array.from({ length: 40 }, readOn);
    const written = await server.app
      .get(DataSource)
      .transaction((manager) => manager.query('SELECT 1 AS one'));
    expect(written).toEqual([{ one: 1 }]);
    reading.abort();
    await Promise.all(readers);
  });
});

describe('statement with rejected values', { tags: ['postgres'] }, () => {
  it('leaves its connection usable for the next', { tags: ['sessions'] }, async () => {
    const query = (text: string) => server.app.get(StatementRunner).query<{ pid: number }>(text, []);
    const pid = async () => (await query('SELECT pg_backend_pid() AS pid'))[0]?.pid;
    const before = await pid();
    const taken = `INSERT INTO organizations (id, name) SELECT id, 'Taken' FROM organizations LIMIT 1`;
    await expect(query(taken)).rejects.toMatchObject({ driverError: { code: '23505' } });
    expect(await pid()).toBe(before);
  });
});

describe('tenant row', () => {
  it('includes organization_id in every lookup', async () => {
    const projects = server.app.get(ProjectsService);
    const [us, them] = [await server.tenant(), await server.tenant()];
    expect(await projects.exists(us.organization_id, us.project_id)).toBe(true);
    expect(await projects.exists(us.organization_id, them.project_id)).toBe(false);
  });
});
