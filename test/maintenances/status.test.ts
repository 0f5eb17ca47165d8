import { describe, expect, it } from 'vitest';
import type { Maintenance } from '../../clients/typescript/src/index.js';
import type { ListPage } from '../support/server.js';
import { useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get, pass } = useMaintenances();

describe('the status of a maintenance window', () => {
  it.each<[string, [number, number], string]>([
    ['scheduled before starts_at', [1, 2], 'scheduled'],
    ['in_progress from starts_at until ends_at', [-1, 1], 'in_progress'],
    ['completed after ends_at', [-2, -1], 'completed'],
  ])('equals %s in every response', async (_name, window, status) => {
    const made = await make(window);
    const { body } = await ask<ListPage<Maintenance>>('GET', `?project_id=${tenant.project_id}&limit=1`);
    const patched = await ask('PATCH', `/${made.id}`, { title: 'Other' });
    const all = [made, await get(made.id), ...body.data, patched.body.data];
    expect(all.map((one) => one.status)).toEqual([status, status, status, status]);
  });

  it('changes with the clock, and sets updated_at to the start or end', async () => {
    const { id } = await make([1, 3]);
    const seen = async () => {
      const { status, starts_at, ends_at, updated_at, created_at } = await get(id);
      const names = { [starts_at]: 'starts_at', [ends_at]: 'ends_at', [created_at]: 'created_at' };
      return [status, names[updated_at]];
    };
    expect(await seen()).toEqual(['scheduled', 'created_at']);
    await pass(id, 2);
    expect(await seen()).toEqual(['in_progress', 'starts_at']);
    await pass(id, 2);
    expect(await seen()).toEqual(['completed', 'ends_at']);
    const { body } = await ask<ListPage<Maintenance>>('GET', `?project_id=${tenant.project_id}`);
    expect(body.data).toContainEqual(await get(id));
    // An update is later than both.
    const { updated_at, ends_at } = (await ask('PATCH', `/${id}`, { title: 'Other' })).body.data;
    expect(updated_at > ends_at).toBe(true);
  });

  it('invalidates the ETag at the start, so that GET does not return 304', async () => {
    const { id, updated_at } = await make([1, 3]);
    await pass(id, 2);
    const before = `"${new Date(new Date(updated_at).getTime() - 2 * 3_600_000).toISOString()}"`;
    const changed = await ask('GET', `/${id}`, undefined, { 'If-None-Match': before });
    expect([changed.status, changed.body.data.status]).toEqual([200, 'in_progress']);
    const etag = String(changed.headers.get('etag'));
    expect(etag).toBe(`"${changed.body.data.starts_at}"`);
    expect((await ask('GET', `/${id}`, undefined, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('changes the version, so an older If-Match returns 412', async () => {
    const { id, updated_at } = await make([1, 3]);
    await pass(id, 2);
    const before = `"${new Date(new Date(updated_at).getTime() - 2 * 3_600_000).toISOString()}"`;
    for (const json of [{ title: 'Other' }, { status: 'cancelled' }])
      expect((await ask('PATCH', `/${id}`, json, { 'If-Match': before })).status).toBe(412);
    expect((await ask('DELETE', `/${id}`, undefined, { 'If-Match': before })).status).toBe(412);
    const current = async () => ({ 'If-Match': `"${(await get(id)).updated_at}"` });
    expect((await ask('PATCH', `/${id}`, { title: 'Other' }, await current())).status).toBe(200);
    await pass(id, 4);
    expect((await ask('PATCH', `/${id}`, { status: 'cancelled' }, await current())).status).toBe(200);
    expect((await ask('DELETE', `/${id}`, undefined, await current())).status).toBe(204);
  });

  it('matches a version that is in the future', async () => {
    const { id, starts_at } = await make([1, 3]);
    const set = 'UPDATE maintenances SET updated_at = $2 WHERE id = $1';
    await server.sql(set, [id, new Date(starts_at)]);
    const started = await get(id);
    expect([started.status, started.updated_at]).toEqual(['in_progress', starts_at]);
    await server.sql(set, [id, new Date(new Date(starts_at).getTime() - 1)]);
    expect((await get(id)).status).toBe('scheduled');
  });

  it('keeps the version if a PATCH changes nothing after the start', async () => {
    const { id } = await make([1, 3]);
    await pass(id, 2);
    const before = await get(id);
    const { title, body, starts_at, ends_at, status, monitor_ids, status_page_ids } = before;
    const same = { title, body, starts_at, ends_at, status, monitor_ids, status_page_ids };
    for (const json of [{}, { title }, { status }, { status: null }, same])
      expect((await ask('PATCH', `/${id}`, json)).body.data).toEqual(before);
    const [stored] = await server.sql<{ updated_at: Date }[]>(
      'SELECT updated_at FROM maintenances WHERE id = $1',
      [id],
    );
    expect(stored?.updated_at.toISOString()).toBe(before.created_at);
  });
});
