import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ RATE_LIMIT: '0' });
const tenant = useTenant(server);

const WRITERS = 6;
const REQUESTS = 4;
const DAY_MS = 86_400_000;

describe('POST /v1/monitor-reports from six concurrent writers of backdated reports', () => {
  it('returns 200 to each, although they wait for each other', async () => {
    const [monitor_id] = await server.monitors(tenant, 1);
    let next = 0;
    const report = async () => {
      const first = Date.now() - 300 * DAY_MS + next++ * 1_000;
      const reports = Array.from({ length: 400 }, (_, index) => ({
        monitor_id,
        status: index % 2 === 0 ? 'operational' : 'major_outage',
        observed_at: new Date(first + index * 24 * 60_000).toISOString(),
      }));
      const { status } = await server.ask('/v1/monitor-reports', {
        method: 'POST',
        key: tenant.key,
        json: { project_id: tenant.project_id, reports },
      });
      return status;
    };
    const writer = async () => {
      const statuses: number[] = [];
      for (let request = 0; request < REQUESTS; request++) statuses.push(await report());
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: WRITERS }, writer))).flat();
    expect(statuses).toEqual(statuses.map(() => 200));
  });
});
