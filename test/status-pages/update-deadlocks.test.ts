import { describe, expect, it } from 'vitest';
import { deadlocksOf } from '../support/deadlocks.js';
import { useTenant, useTestServer } from '../support/server.js';
import { isThorough } from '../support/thorough.js';

const server = useTestServer();
const tenant = useTenant(server);

const RUN_MS = isThorough ? 1_500 : 250;

/** Sends requests one after the other for a while. Returns their statuses. */
async function loop(ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (const end = performance.now() + RUN_MS; performance.now() < end;) statuses.push((await ask()).status);
  return statuses;
}

const times = <Result>(count: number, make: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('concurrent PATCH requests of a page while incidents on it are created', () => {
  it.each([
    { field: 'name', suffix: '', valueOf: (next: number) => ({ name: `Name ${next}` }) },
    {
      field: 'sections',
      suffix: '',
      valueOf: (next: number) => ({ sections: [{ id: 'a', title: `Title ${next}`, monitor_ids: [] }] }),
    },
    {
      field: 'settings',
      suffix: '/settings',
      valueOf: (next: number) => ({ history_days: 30 + (next % 61) }),
    },
    { field: 'slug', suffix: '/settings', valueOf: (next: number) => ({ slug: `slug-${next}` }) },
  ])('apply each change of its $field without a deadlock', async ({ suffix, valueOf }) => {
    const page = await server.page(tenant);
    const before = await deadlocksOf(server);
    let count = 0;
    const patch = () => {
      const json = valueOf(++count);
      return server.ask(`/v1/status-pages/${page.id}${suffix}`, { method: 'PATCH', key: tenant.key, json });
    };
    const createIncident = () =>
      server.ask('/v1/incidents', {
        method: 'POST',
        key: tenant.key,
        json: { project_id: tenant.project_id, title: 'Incident', body: 'Body', status_page_ids: [page.id] },
      });
    const [patched, created] = await Promise.all([
      Promise.all(times(4, () => loop(patch))),
      Promise.all(times(2, () => loop(createIncident))),
    ]);
    expect(new Set(patched.flat())).toEqual(new Set([200]));
    expect(new Set(created.flat())).toEqual(new Set([201]));
    expect(await deadlocksOf(server)).toBe(before);
  });
});
