import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, directly, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/proxy.js';
import { type Tenant, TestServer, useTenant, useTestServer, until } from '../support/server.js';
import { statementsOf } from '../support/statements.js';

const server = useTestServer({ DATABASE_POOL_SIZE: '2' });
const tenant = useTenant(server);

describe('database that closes connections', { tags: ['postgres'] }, () => {
  it('causes no response other than 200, and 503 with Retry-After', async () => {
    const [{ database = '' } = {}] = await server.sql<{ database: string }[]>(
      'SELECT current_database() AS database',
    );
    const administrator = new Client(directly(server.env['DATABASE_URL']));
    await administrator.connect();
    const { id } = await server.page(tenant);
    const cutting = new AbortController();
    const ask = async () => {
      const responses: string[] = [];
      while (!cutting.signal.aborted) {
        const answers = [
          server.list(tenant),
          server.patch(tenant, id, { name: 'x' }),
          server.patch(tenant, id, { sections: [] }),
        ];
        for (const { status, headers } of await Promise.all(answers))
          responses.push(`${status}, Retry-After ${headers.get('retry-after')}`);
      }
      return responses;
    };
    const asking = Array.from({ length: 8 }, ask);
    for (let cut = 0; cut < 15; cut++) {
      await delay(50);
      await administrator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'status-pages' AND datname = $1`,
        [database],
      );
    }
    cutting.abort();
    const responses = new Set((await Promise.all(asking)).flat());
    expect([...responses].toSorted()).toEqual(['200, Retry-After null', '503, Retry-After 1']);
    await administrator.end();
    expect((await server.list(tenant)).status).toBe(200);
  });
});

describe('deletion of a monitor', { tags: ['postgres'] }, () => {
  it('uses a longer timeout than other requests', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const page = await server.page(tenant, { sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] });
    const administrator = new Client(directly(server.env['DATABASE_URL']));
    await administrator.connect();
    await administrator.query('BEGIN');
    await administrator.query('SELECT FROM status_pages WHERE id = $1 FOR UPDATE', [page.id]);
    const deleting = server.ask(`/v1/monitors/${monitor}`, { method: 'DELETE', key: tenant.key });
    expect((await server.patch(tenant, page.id, { name: 'x' })).status).toBe(503);
    await administrator.query('COMMIT');
    await administrator.end();
    expect((await deleting).status).toBe(204);
  });
});

describe('readiness', () => {
  it('shares one database check between concurrent requests', async () => {
    await until(async () => (await statementsOf(() => server.ask('/health/ready'))).length === 1);
    const asked = await statementsOf(async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => server.ask('/health/ready')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
    expect(asked.length).toBeLessThan(10);
  });
});

describe('database behind a network', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let behind: TestServer;
  let own: Tenant;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.start(database.env.DATABASE_URL);
    behind = await TestServer.start({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: '2' });
    own = await behind.tenant();
  });
  afterAll(async () => {
    await behind.stop();
    await proxy.stop();
    await database.drop();
  });

  it('causes 503 before clients time out if it goes silent', async () => {
    const { id } = await behind.page(own);
    expect((await behind.ask('/health/ready')).status).toBe(200);
    expect((await behind.list(own)).status).toBe(200);
    // Deletions have a longer timeout, but later statements on their connections do not.
    for (const monitor of await behind.monitors(own, 4))
      await behind.ask(`/v1/monitors/${monitor}`, { method: 'DELETE', key: own.key });
    proxy.stall();
    const waiting = new Set(['requests']);
    const requests = Promise.all([
      behind.ask(`/v1/monitors?project_id=${own.project_id}`, own),
      behind.list(own),
      behind.patch(own, id, { name: 'x' }),
      behind.patch(own, id, { sections: [] }),
      behind.ask('/v1/api-keys', own),
    ]).finally(() => waiting.delete('requests'));
    const late = AbortSignal.timeout(8_000);
    await until(async () => (await behind.ask('/health/ready')).status === 503);
    expect([...waiting]).toEqual(['requests']);
    expect((await requests).map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(late.aborted).toBe(false);
    proxy.resume();
    await until(async () => (await behind.ask('/health/ready')).status === 200);
    expect((await behind.list(own)).status).toBe(200);
  });

  it('causes 503 for readiness while it is read-only', async () => {
    const client = new Client(directly(database.env.DATABASE_URL));
    await client.connect();
    const set = async (value: string) => {
      const name = new URL(database.env.DATABASE_URL).pathname.slice(1);
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    };
    await set('on');
    await until(async () => (await behind.ask('/health/ready')).status === 503);
    expect((await behind.ask('/health/live')).status).toBe(200);
    await client.query('SET default_transaction_read_only = off');
    await set('off');
    await until(async () => (await behind.ask('/health/ready')).status === 200);
    await client.end();
  });
});
