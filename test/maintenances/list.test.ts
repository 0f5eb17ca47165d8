import { describe, expect, it } from 'vitest';
import type { Maintenance } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage } from '../support/server.js';
import { UNKNOWN_ID, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make } = useMaintenances();

const list = (query: string) => ask<ListPage<Maintenance>>('GET', `?project_id=${tenant.project_id}${query}`);
const idsOf = async (query: string): Promise<string[]> => (await list(query)).body.data.map(({ id }) => id);
const monitor = async (): Promise<string> => (await server.monitors(tenant, 1))[0] ?? '';
const pageOf = async (monitor_ids: string[]): Promise<string> =>
  (await server.page(tenant, { sections: [{ id: 'all', title: 'All', monitor_ids }] })).id;

describe('GET /v1/maintenances', () => {
  it('lists the maintenance windows that affect a monitor', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const past = await make([-2, -1], { monitor_ids: [one, other], status_page_ids: [] });
    await make([1, 2], { monitor_ids: [other] });
    await make([1, 2]);
    const next = await make([1, 2], { monitor_ids: [one] });
    await ask('PATCH', `/${next.id}`, { status: 'cancelled' });
    expect(await idsOf(`&monitor_id=${one.toUpperCase()}`)).toEqual([next.id, past.id]);
    expect(await idsOf(`&monitor_id=${await monitor()}`)).toEqual([]);
  });

  it('lists the maintenance windows that a status page shows', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const page = await pageOf([one]);
    const affecting = await make([-2, -1], { monitor_ids: [one, other] });
    await make([1, 2], { monitor_ids: [other] });
    await make([1, 2], { monitor_ids: [one], status_page_ids: [] });
    await make([1, 2], { monitor_ids: [one], status_page_ids: [await pageOf([])] });
    const named = await make([1, 2], { monitor_ids: [other], status_page_ids: [page] });
    const every = await make([1, 2]);
    const filter = `&status_page_id=${page.toUpperCase()}`;
    expect((await idsOf(`${filter}&limit=100`)).slice(0, 3)).toEqual([every.id, named.id, affecting.id]);
    expect(await idsOf(`${filter}&monitor_id=${other}`)).toEqual([named.id, affecting.id]);
    await server.patch(tenant, page, { sections: [] });
    expect(await idsOf(`${filter}&monitor_id=${other}`)).toEqual([named.id]);
  });

  it('lists the same maintenance windows as the status page shows', async () => {
    const page = await pageOf([await monitor()]);
    const { body } = await server.ask<{ data: { maintenances: { id: string }[] } }>(
      `/v1/status-pages/${page}/summary`,
      { key: tenant.key },
    );
    const shown = body.data.maintenances.map(({ id }) => id);
    const listed = (await list(`&status_page_id=${page}&limit=100`)).body.data;
    const open = listed.filter(({ status }) => status === 'scheduled' || status === 'in_progress');
    expect(open.map(({ id }) => id).toSorted()).toEqual(shown.toSorted());
  });

  it('walks each filter with cursors, which no other filter accepts', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const pages = [await pageOf([one]), await pageOf([other])];
    for (let count = 0; count < 3; count++) await make([1, 2], { monitor_ids: [one, other] });
    const filters = [
      '',
      `&monitor_id=${one}`,
      `&monitor_id=${other}`,
      ...pages.map((id) => `&status_page_id=${id}`),
      `&status_page_id=${pages[0]}&monitor_id=${one}`,
    ];
    for (const filter of filters) {
      const whole = await idsOf(`${filter}&limit=100`);
      const { body } = await list(`${filter}&limit=2`);
      const cursor = `&cursor=${body.pagination.next_cursor}`;
      expect(body.data.map(({ id }) => id)).toEqual(whole.slice(0, 2));
      expect(await idsOf(`${filter}&limit=100${cursor}`)).toEqual(whole.slice(2));
      for (const wrong of filters.filter((item) => item !== filter))
        expectProblem(await list(wrong + cursor), 400, 'invalid_cursor', { parameter: 'cursor' });
    }
  });

  it('returns 404 for a status page or monitor that is not in the project', async () => {
    const them = await server.tenant();
    const sibling = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const absent = {
      status_page_id: [UNKNOWN_ID, (await server.page(them)).id, (await server.page(sibling)).id],
      monitor_id: [UNKNOWN_ID, ...(await server.monitors(them, 1)), ...(await server.monitors(sibling, 1))],
    };
    for (const [parameter, ids] of Object.entries(absent)) {
      const problems: object[] = [];
      for (const id of ids) {
        const { request_id: _, ...problem } = expectProblem(
          await list(`&${parameter}=${id}`),
          404,
          'not_found',
        );
        problems.push(problem);
      }
      expect(problems).toEqual(problems.map(() => problems[0]));
      expectProblem(await list(`&${parameter}=x`), 400, 'validation_failed', {
        code: 'invalid_format',
        parameter,
      });
    }
  });
});
