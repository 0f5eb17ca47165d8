import { describe, expect, it } from 'vitest';
import type { Maintenance, StatusPageSummary } from '../../clients/typescript/src/index.js';
import type { One } from '../support/server.js';
import { useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get } = useMaintenances();

/** Creates a page that shows monitors. */
async function pageOf(monitor_ids: string[], owner = tenant): Promise<string> {
  const sections = [{ id: 'core', title: 'Core', monitor_ids }];
  return (await server.page(owner, { is_public: true, sections })).id;
}

/** Returns the maintenance windows in the summary of a page. */
async function shownOn(page: string, key = tenant.key): Promise<string[]> {
  const { body } = await server.ask<One<StatusPageSummary>>(`/v1/status-pages/${page}/summary`, { key });
  return body.data.maintenances.map(({ id }) => id);
}

const monitor = async (): Promise<string> => (await server.monitors(tenant, 1))[0] ?? '';

/** Whether pages show a maintenance window. */
const isShown = async ({ id }: Maintenance, ...pages: string[]): Promise<boolean[]> =>
  (await Promise.all(pages.map((page) => shownOn(page)))).map((ids) => ids.includes(id));

describe('status pages', () => {
  it('show a maintenance window that affects one of their monitors', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const pages = [await pageOf([one, other]), await pageOf([other]), await pageOf([])];
    expect(await isShown(await make([1, 2], { monitor_ids: [one] }), ...pages)).toEqual([true, false, false]);
  });

  it('show a maintenance window without monitors if status_page_ids is null', async () => {
    const pages = [await pageOf([await monitor()]), await pageOf([])];
    const foreign = await server.tenant();
    const theirs = await pageOf([], foreign);
    const elsewhere = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const made = await make([1, 2]);
    expect(await isShown(made, ...pages, await pageOf([], elsewhere))).toEqual([true, true, false]);
    expect(await shownOn(theirs, foreign.key)).toEqual([]);
    const html = await (await fetch(`${server.url}/status/${await slugOf(pages[1] ?? '')}`)).text();
    expect(html).toContain(`/maintenances/${made.id}"`);
  });

  it('show a maintenance window without monitors only if status_page_ids contains them', async () => {
    const pages = [await pageOf([]), await pageOf([])];
    expect(await isShown(await make([1, 2], { status_page_ids: pages.slice(0, 1) }), ...pages)).toEqual([
      true,
      false,
    ]);
    expect(await isShown(await make([1, 2], { status_page_ids: [] }), ...pages)).toEqual([false, false]);
  });

  it('do not show a maintenance window because its only monitor was deleted', async () => {
    const [doomed, kept] = [await monitor(), await monitor()];
    const page = await pageOf([await monitor()]);
    const made = await make([1, 2], { monitor_ids: [doomed] });
    const [both, every] = [await make([1, 2], { monitor_ids: [doomed, kept] }), await make([1, 2])];
    await server.ask(`/v1/monitors/${doomed}`, { method: 'DELETE', key: tenant.key });
    expect(await get(made.id)).toMatchObject({ monitor_ids: [], status_page_ids: [] });
    expect(await get(both.id)).toMatchObject({ monitor_ids: [kept], status_page_ids: null });
    expect(await get(every.id)).toEqual(every);
    expect(await isShown(made, page)).toEqual([false]);
    await ask('PATCH', `/${made.id}`, { status_page_ids: null });
    expect(await isShown(made, page)).toEqual([true]);
  });

  it('continue to show a maintenance window after their only monitor of it was deleted, until it names other pages', async () => {
    const [doomed, other] = [await monitor(), await monitor()];
    const pages = [await pageOf([doomed, other]), await pageOf([doomed]), await pageOf([other])];
    const made = await make([1, 2], { monitor_ids: [doomed] });
    await server.ask(`/v1/monitors/${doomed}`, { method: 'DELETE', key: tenant.key });
    expect(await isShown(made, ...pages)).toEqual([true, true, false]);
    await ask('PATCH', `/${made.id}`, { title: 'Changed' });
    expect(await isShown(made, ...pages)).toEqual([true, true, false]);
    await ask('PATCH', `/${made.id}`, { status_page_ids: pages.slice(1) });
    expect(await isShown(made, ...pages)).toEqual([false, true, true]);
  });
});

async function slugOf(id: string): Promise<string> {
  const { body } = await server.ask<One<{ slug: string }>>(`/v1/status-pages/${id}`, { key: tenant.key });
  return body.data.slug;
}
