import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { type Answer, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const remove = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key, headers });

describe('DELETE /v1/status-pages/{id}', () => {
  it('returns 204 without a body and removes the page from all operations', async () => {
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

  it('releases the slug and the domain', async () => {
    const unique = { slug: 'again', custom_domain: 'again.example' };
    const { id } = await server.page(tenant, unique);
    await remove(id);
    expect(await server.page(tenant, unique)).toMatchObject(unique);
  });

  it('keeps the monitors', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const sections = [{ id: 'a', title: 'A', monitor_ids: [monitor] }];
    const { id } = await server.page(tenant, { sections });
    await remove(id);
    expect((await server.ask(`/v1/monitors/${monitor}`, { key: tenant.key })).status).toBe(200);
  });

  it('returns 412 if the version has changed', async () => {
    const { id, updated_at } = await server.page(tenant);
    const late = await remove(id, { 'If-Match': '"2020-01-01T00:00:00.000Z"' });
    expectProblem(late, 412, 'precondition_failed');
    expect((await remove(id, { 'If-Match': `"${updated_at.toISOString()}"` })).status).toBe(204);
  });

  it('deletes the page once for concurrent requests', async () => {
    const { id } = await server.page(tenant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('returns 400 for an ID that is not a UUID', async () => {
    expect((await remove('x')).status).toBe(400);
  });
});
