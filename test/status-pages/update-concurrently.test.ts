import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import { expectProblem } from '../support/expectations.js';
import { isThorough } from '../support/thorough.js';
import { usePages } from './use-pages.js';

const { server, tenant, monitors, aPage, stored } = usePages();

const ROUNDS = isThorough ? 50 : 12;

/** Sends requests that need no database, one after the other. They take longer than a request that waits for nothing. */
async function otherRequests(): Promise<string> {
  for (let count = 0; count < 50; count++) await server.ask('/health/live');
  return 'still waiting';
}

describe('concurrent PATCH /v1/status-pages/{id} requests', () => {
  it('lose no changes of different fields', async () => {
    const page = await aPage();
    const [first = ''] = monitors;
    const values = {
      name: (round: number) => `Round ${round}`,
      is_public: (round: number) => round % 2 === 0,
      accent_color: (round: number) => `#${String(round).padStart(6, '0')}`,
      sections: (round: number) => [{ id: `round-${round}`, title: 'Round', monitor_ids: [first] }],
    };
    for (let round = 1; round <= ROUNDS; round++) {
      const patches = Object.entries(values).map(([field, of]) => ({ [field]: of(round) }));
      const answers = await Promise.all(patches.map((patch) => server.patch(tenant, page.id, patch)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await stored(page.id)).toMatchObject(Object.assign({}, ...patches));
    }
  });

  it('all succeed if 100 requests are sent concurrently', async () => {
    const page = await aPage();
    const patches = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? { name: `Name ${index}` } : { accent_color: `#${String(index).padStart(6, '0')}` },
    );
    const answers = await Promise.all(patches.map((patch) => server.patch(tenant, page.id, patch)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const versions = answers.map(({ body }) => body.data.updated_at);
    expect(new Set(versions).size).toBe(100);
    const last = answers
      .toSorted((a, b) => a.body.data.updated_at.localeCompare(b.body.data.updated_at))
      .at(-1);
    expect(await stored(page.id)).toEqual(last?.body.data);
    expect(last?.body.data.name).toMatch(/^Name \d+$/);
    expect(last?.body.data.accent_color).toMatch(/^#000\d+$/);
  });

  it('do not show a monitor that is deleted concurrently', async () => {
    const page = await aPage();
    for (let round = 0; round < ROUNDS; round++) {
      const [doomed = ''] = await server.monitors(tenant, 1);
      const sections = [{ id: 'a', title: 'A', monitor_ids: [doomed] }];
      const [answer] = await Promise.all([
        server.patch(tenant, page.id, { sections }),
        deleteMonitor(doomed),
      ]);
      expect([200, 400]).toContain(answer.status);
      expect(JSON.stringify((await stored(page.id)).sections)).not.toContain(doomed);
    }
  });

  it('fail after they wait for the deletion of a monitor', async () => {
    const page = await aPage();
    const [doomed = ''] = await server.monitors(tenant, 1);
    const runner = server.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query('DELETE FROM monitors WHERE id = $1', [doomed]);
    const sections = [{ id: 'a', title: 'A', monitor_ids: [doomed] }];
    const patch = server.patch(tenant, page.id, { sections });
    const first = await Promise.race([patch, otherRequests()]);
    await runner.commitTransaction();
    await runner.release();
    expect(first).toBe('still waiting');
    expectProblem(await patch, 400, 'validation_failed', {
      code: 'unknown_monitor',
      pointer: '#/sections/0/monitor_ids/0',
    });
    expect(await stored(page.id)).toEqual(page);
  });

  it('delay the deletion of a monitor that they show', async () => {
    const page = await aPage();
    const [doomed = ''] = await server.monitors(tenant, 1);
    const holder = server.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await server.app
      .get(MonitorsService)
      .lock(tenant, [{ path: ['monitor_ids', 0], id: doomed }], holder.manager);
    const deletion = deleteMonitor(doomed);
    const first = await Promise.race([deletion, otherRequests()]);
    await holder.query('UPDATE status_pages SET sections = $1 WHERE id = $2', [
      JSON.stringify([{ id: 'a', title: 'A', monitor_ids: [doomed] }]),
      page.id,
    ]);
    await holder.commitTransaction();
    await holder.release();
    expect(first).toBe('still waiting');
    await deletion;
    expect((await stored(page.id)).sections).toEqual([{ id: 'a', title: 'A', monitor_ids: [] }]);
  });

  async function deleteMonitor(id: string): Promise<void> {
    const { status } = await server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key });
    expect(status).toBe(204);
  }
});
