import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from './support/database.js';
import { type Tenant, TestServer } from './support/server.js';

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await TestServer.start({ DATABASE_POOL_SIZE: '2' });
  tenant = await server.tenant();
});
afterAll(() => server.stop());

describe('a database', () => {
  it('whose connections are all in use is 503 with Retry-After, and passes', async () => {
    const dataSource = server.app.get(DataSource);
    const runners = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await Promise.all(runners.map((runner) => runner.connect()));
    const [list, ready] = await Promise.all([server.list(tenant), server.ask('/health/ready')]);
    for (const { status, body, headers } of [list, ready]) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    }
    expect((await server.ask('/health/live')).status).toBe(200);
    await Promise.all(runners.map((runner) => runner.release()));
    expect((await server.list(tenant)).status).toBe(200);
  });

  it.runIf(onPostgres)(
    'that cuts its connections is 503 with Retry-After for those it cuts, and passes',
    async () => {
      const [{ database = '' } = {}] = await server.sql<{ database: string }[]>(
        'SELECT current_database() AS database',
      );
      const administrator = new Client(process.env['DATABASE_URL']);
      await administrator.connect();
      const { id } = await server.page(tenant);
      const cutting = new AbortController();
      const ask = async () => {
        const told: string[] = [];
        while (!cutting.signal.aborted) {
          const answers = [
            server.list(tenant),
            server.patch(tenant, id, { name: 'x' }),
            server.patch(tenant, id, { sections: [] }),
          ];
          for (const { status, headers } of await Promise.all(answers))
            told.push(`${status}, Retry-After ${headers.get('retry-after')}`);
        }
        return told;
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
      const told = new Set((await Promise.all(asking)).flat());
      expect([...told].toSorted()).toEqual(['200, Retry-After null', '503, Retry-After 1']);
      await administrator.end();
      expect((await server.list(tenant)).status).toBe(200);
    },
  );
});
