import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ DATABASE_POOL_SIZE: '2' });
const tenant = useTenant(server);

describe('database', () => {
  it('causes 503 with Retry-After while all connections are in use', async () => {
    const dataSource = server.app.get(DataSource);
    const runners = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await Promise.all(runners.map((runner) => runner.connect()));
    const { status, body, headers } = await server.list(tenant);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect((await server.ask('/health/live')).status).toBe(200);
    // The database is available, but this process is busy.
    expect((await server.ask('/health/ready')).status).toBe(200);
    await Promise.all(runners.map((runner) => runner.release()));
    expect((await server.list(tenant)).status).toBe(200);
  });
});
