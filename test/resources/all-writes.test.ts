import { describe, expect, it } from 'vitest';
import { byRoute, slowIn, writeAll } from '../support/all-writes.js';
import { deadlocksOf } from '../support/deadlocks.js';
import { coveredRoutes } from '../support/resources.js';
import { useTenant, useTestServer } from '../support/server.js';
import { isThorough } from '../support/thorough.js';

const server = useTestServer({ RATE_LIMIT: '0' });
const tenant = useTenant(server);

/** Each lock timeout takes four seconds. */
const SLOW_MS = 3_500;

// For longer runs, see `npm run test:system`; for a minute, `test/faults/all-writes.fault.ts`.
describe('concurrent writes of all resources on the same rows', () => {
  it('cause no deadlock, no 5xx and no outlier in latency', async () => {
    const written = await writeAll(
      server,
      tenant,
      isThorough ? { ms: 6_000, atOnce: 8 } : { ms: 60_000, rounds: 3, atOnce: 8 },
    );
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
