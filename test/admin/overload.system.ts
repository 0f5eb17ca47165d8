import { describe, expect, it } from 'vitest';
import { whileLocked } from '../support/database.js';
import { connectionShares } from '../../src/platform/database/connection-shares.js';
import { readSamples } from '../support/metrics.js';
import { until } from '../support/server.js';
import { useAdmin } from './use-admin.js';

const POOL = 3;
/** Connections of the API. */
const { api: SLOTS } = connectionShares(POOL);

describe('metrics of an overloaded server', { tags: ['postgres'] }, () => {
  const server = useAdmin({ RATE_LIMIT: '0', DATABASE_POOL_SIZE: String(POOL) });

  async function valueOf(name: string): Promise<number | undefined> {
    return (await readSamples(server.admin_url))[`status_pages_${name}`];
  }

  const reaches = (name: string, value: number) => until(async () => (await valueOf(name)) === value);

  async function create(signal?: AbortSignal): Promise<number> {
    const { status } = await fetch(`${server.program.url}/v1/monitors`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project_id: server.project_id, name: 'Web' }),
      ...(signal && { signal }),
    });
    return status;
  }

  it('contain running, waiting, rejected and abandoned requests, and visitors have their own connections', async () => {
    expect(await create()).toBe(201); // the key is cached then
    const sent: Promise<number>[] = [];
    await whileLocked(server.database, 'monitors', async () => {
      for (let count = 0; count < SLOTS + 3; count++) sent.push(create());
      await reaches('requests_running', SLOTS);
      await reaches('requests_waiting', 3);
      const leaving = new AbortController();
      const left = create(leaving.signal).catch(() => undefined);
      await reaches('requests_waiting', 4);
      leaving.abort();
      expect(await left).toBeUndefined();
      await reaches('requests_unserved_total{reason="left"}', 1);
      expect(await valueOf('requests_waiting')).toBe(3);
      expect((await fetch(`${server.program.url}/status/none`)).status).toBe(404);
      expect(await valueOf('database_waiting')).toBe(0);
      await reaches('requests_unserved_total{reason="refused"}', 3);
    });
    const statuses = await Promise.all(sent);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(3);
    for (const name of ['requests_running', 'requests_waiting', 'database_waiting']) await reaches(name, 0);
  });

  it('show no wait for a connection while the statements of visitors hang, and the API responds', async () => {
    const sent: Promise<number>[] = [];
    await whileLocked(server.database, 'status_page_access', async () => {
      for (let count = 0; count < 50; count++)
        sent.push(
          fetch(`${server.program.url}/status/any-${count}/access/password`, {
            method: 'POST',
            body: new URLSearchParams({ password: 'any' }),
          }).then(({ status }) => status),
        );
      await reaches('database_connections{state="in_use"}', 1);
      for (let count = 0; count < SLOTS; count++) expect(await create()).toBe(201);
      expect(await valueOf('database_waiting')).toBe(0);
    });
    expect(new Set([...(await Promise.all(sent)), 404, 503])).toEqual(new Set([404, 503]));
  });
});
