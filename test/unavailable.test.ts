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

  it.runIf(onPostgres)('that cuts its connections is 503 at the most, and passes', async () => {
    await server.list(tenant);
    await server
      .sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
      .catch(() => undefined);
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.list(tenant)));
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect((await server.list(tenant)).status).toBe(200);
  });
});
