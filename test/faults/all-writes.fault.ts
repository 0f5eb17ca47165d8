import { afterEach, describe, expect, it } from 'vitest';
import { slowIn, writeAll } from '../support/all-writes.js';
import { deadlocksOf } from '../support/deadlocks.js';
import { TestServer } from '../support/server.js';
import { useCluster } from './support/cluster.js';

const cluster = useCluster();
let server: TestServer | undefined;
afterEach(() => server?.stop());

const RUN_MS = 20_000;
/**
 * Half of the timeout for a lock. The slowest write on two busy cores took 1.3 s, on the embedded PostgreSQL.
 */
const SLOW_MS = 2_000;

describe.each([
  { name: 'PostgreSQL', env: () => cluster.current.database() },
  { name: 'the embedded PostgreSQL', env: () => Promise.resolve({}) },
])('concurrent writes on the same rows, on $name,', ({ env }) => {
  it('cause no deadlock, no 5xx and no outlier in latency', async () => {
    server = await TestServer.start({ ...(await env()), RATE_LIMIT: '0' });
    const written = await writeAll(server, await server.tenant(), { ms: RUN_MS, atOnce: 8 });
    expect(written.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await deadlocksOf(server)).toBe(0);
    expect(slowIn(written, SLOW_MS)).toEqual([]);
  });
});
