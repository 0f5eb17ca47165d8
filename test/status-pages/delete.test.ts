import { describe, expect, it } from 'vitest';
import { type Answer, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const remove = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key, headers });

describe('a status page that is deleted', () => {
  it('is answered 204 without a body, and is then nowhere: not to read, list, update, or delete again', async () => {
    const kept = await server.page(tenant);
    const { id } = await server.page(tenant);
    const { status, text, headers } = await remove(id);
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    expect((await server.ask(`/v1/status-pages/${id}`, { key: tenant.key })).status).toBe(404);
    expect((await server.patch(tenant, id, { name: 'Gone' })).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    const { body } = await server.list(tenant);
    expect(body.data.map((page) => page.id)).toEqual([kept.id]);
  });

  it('leaves its slug and domain for another', async () => {
    const unique = { slug: 'again', custom_domain: 'again.example' };
    const { id } = await server.page(tenant, unique);
    await remove(id);
    expect(await server.page(tenant, unique)).toMatchObject(unique);
  });

  it('keeps its monitors', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const sections = [{ id: 'a', title: 'A', monitor_ids: [monitor] }];
    const { id } = await server.page(tenant, { sections });
    await remove(id);
    expect((await server.ask(`/v1/monitors/${monitor}`, { key: tenant.key })).status).toBe(200);
  });

  it('is deleted only in the version that If-Match names: otherwise 412', async () => {
    const { id, updated_at } = await server.page(tenant);
    const late = await remove(id, { 'If-Match': '"2020-01-01T00:00:00.000Z"' });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await remove(id, { 'If-Match': `"${updated_at.toISOString()}"` })).status).toBe(204);
  });

  it('is deleted once by many at the same time', async () => {
    const { id } = await server.page(tenant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('is 400 for what is no UUID', async () => {
    expect((await remove('x')).status).toBe(400);
  });
});
