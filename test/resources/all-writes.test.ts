import { describe, expect, it } from 'vitest';
import { byRoute, slowIn, writeAll } from '../support/all-writes.js';
import { deadlocksOf } from '../support/deadlocks.js';
import { coveredRoutes } from '../support/resources.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ RATE_LIMIT: '0' });
const tenant = useTenant(server);

/** Each wait for a lock that ends with a timeout takes four seconds. */
const SLOW_MS = 3_500;

// For a minute, see `test/faults/all-writes.fault.ts`.
describe('all writes of all resources at once, on the same rows,', () => {
  it('meet no deadlock, get no 5xx, and none is far slower than others of its route', async () => {
    const written = await writeAll(server, tenant, { ms: 6_000, atOnce: 8 });
    expect(written.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await deadlocksOf(server)).toBe(0);
    expect(slowIn(written, SLOW_MS)).toEqual([]);
    const writes = coveredRoutes().filter((route) => !route.startsWith('GET'));
    expect(
      byRoute(written)
        .map(({ route }) => route)
        .toSorted(),
    ).toEqual(writes.toSorted());
  });
});
