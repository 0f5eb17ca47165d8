import { describe, expect, it } from 'vitest';
import { IdempotencyService } from '../../src/platform/idempotency/idempotency.service.js';
import { expectProblem } from '../support/expectations.js';
import { hashesOf } from '../support/catalogue.js';
import { make, resourceOf } from '../support/resources.js';
import type { One } from '../support/server.js';
import { type Created, useIdempotency } from './use-idempotency.js';

const { server, tenant, newKey, post, replayed } = useIdempotency();

const countOf = async (table: string): Promise<number> => {
  const rows = await server.sql<{ count: string }[]>(
    `SELECT count(*) FROM ${table} WHERE organization_id = $1`,
    [tenant.organization_id],
  );
  return Number(rows[0]?.count);
};

async function newIncident(): Promise<{ id: string; updated_at: string }> {
  const json = { project_id: tenant.project_id, title: 'Incident', body: 'The first update.' };
  const incident = await post('/v1/incidents', json, newKey());
  return incident.body.data;
}

/** Adds an update to an incident. */
const update = (id: string, key: string, ifMatch?: string) =>
  server.ask<One<Created>>(`/v1/incidents/${id}/updates`, {
    method: 'POST',
    key: tenant.key,
    json: { status: 'identified', body: 'Another update.' },
    headers: { 'Idempotency-Key': key, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
  });

describe('repeated POST with the same Idempotency-Key', () => {
  it('returns the first response and creates nothing', async () => {
    const key = newKey();
    const body = { project_id: tenant.project_id, name: 'Once' };
    const first = await post('/v1/status-pages', body, key);
    const before = await countOf('status_pages');
    const second = await post('/v1/status-pages', body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
    expect(second.text).toBe(first.text);
    for (const name of ['etag', 'location', 'content-type', 'cache-control', 'content-length'])
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await countOf('status_pages')).toBe(before);
  });

  it('returns the first response even if the resource has changed since', async () => {
    const key = newKey();
    const first = await post('/v1/projects', { name: 'Project' }, key);
    const path = `/v1/projects/${first.body.data.id}`;
    await server.ask(path, { method: 'PATCH', key: tenant.key, json: { name: 'Other' } });
    await server.ask(path, { method: 'DELETE', key: tenant.key });
    expect((await post('/v1/projects', { name: 'Project' }, key)).text).toBe(first.text);
  });

  it('runs again after a day', async () => {
    const key = newKey();
    const first = await post('/v1/projects', { name: 'Project' }, key);
    const age = (hours: string) =>
      server.sql(`UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1`, [
        key,
        hours,
      ]);
    await age('23 hours 59 minutes');
    expect((await post('/v1/projects', { name: 'Project' }, key)).text).toBe(first.text);
    await age('24 hours 1 minute');
    const again = await post('/v1/projects', { name: 'Project' }, key);
    expect([again.status, replayed(again)]).toEqual([201, null]);
    expect(again.body.data.id).not.toBe(first.body.data.id);
    expect((await post('/v1/projects', { name: 'Project' }, key)).text).toBe(again.text);
  });

  it('deletes stored responses after a day', async () => {
    const [old, kept] = [newKey(), newKey()];
    for (const key of [old, kept]) await post('/v1/projects', { name: 'Project' }, key);
    await server.sql(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`, [
      old,
    ]);
    await server.app.get(IdempotencyService).cleanUp();
    const rows = await server.sql<{ key: string }[]>(`SELECT key FROM idempotency_keys WHERE key = ANY($1)`, [
      [old, kept],
    ]);
    expect(rows).toEqual([{ key: kept }]);
  });

  it('runs again with another API key', async () => {
    const key = newKey();
    const other = await server.key(tenant.organization_id);
    const first = await post('/v1/projects', { name: 'Project' }, key);
    const second = await post('/v1/projects', { name: 'Project' }, key, other.key);
    expect([second.status, replayed(second)]).toEqual([201, null]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('returns 422 idempotency_key_reused for another path, query or body', async () => {
    const key = newKey();
    const [monitor = ''] = await server.monitors(tenant, 1);
    const push = (status: string) => `/v1/receivers/push?monitor_id=${monitor}&status=${status}`;
    const json = { project_id: tenant.project_id, name: 'Name' };
    await post('/v1/monitors', json, key);
    const pushed = newKey();
    await post(push('operational'), {}, pushed);
    const before = await hashesOf(server);
    expectProblem(await post('/v1/status-pages', json, key), 422, 'idempotency_key_reused');
    expectProblem(await post('/v1/monitors', { ...json, name: 'Other' }, key), 422, 'idempotency_key_reused');
    expectProblem(await post(push('major_outage'), {}, pushed), 422, 'idempotency_key_reused');
    expect(await hashesOf(server)).toEqual(before);
  });

  it('treats a key with and without double quotes as the same key', async () => {
    const key = newKey();
    const first = await post('/v1/projects', { name: 'Project' }, `"${key}"`);
    const second = await post('/v1/projects', { name: 'Project' }, key);
    expect([second.text, replayed(second)]).toEqual([first.text, 'true']);
  });

  it('repeats a conflict that no longer exists', async () => {
    const key = newKey();
    const slug = `taken-${newKey()}`.slice(0, 40);
    const page = await server.page(tenant, { slug });
    const body = { project_id: tenant.project_id, name: 'Page', slug };
    const first = await post('/v1/status-pages', body, key);
    expectProblem(first, 409, 'conflict');
    await server.ask(`/v1/status-pages/${page.id}`, { method: 'DELETE', key: tenant.key });
    const second = await post('/v1/status-pages', body, key);
    expect([second.status, second.text, replayed(second)]).toEqual([409, first.text, 'true']);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect((await post('/v1/status-pages', body, newKey())).status).toBe(201);
  });

  it('repeats 404 even if the resource exists now', async () => {
    const key = newKey();
    const { id } = await server.page(tenant);
    const page = `/v1/status-pages/${id}`;
    await server.ask(page, { method: 'DELETE', key: tenant.key });
    const first = await post(`${page}/preview-links`, {}, key);
    expectProblem(first, 404, 'not_found');
    expect((await post(`${page}/restore`, {}, newKey())).status).toBe(200);
    const second = await post(`${page}/preview-links`, {}, key);
    expect([second.status, second.text, replayed(second)]).toEqual([404, first.text, 'true']);
  });

  it('repeats 412 even if the resource has that version now', async () => {
    const { id, updated_at } = await newIncident();
    const key = newKey();
    const next = new Date(new Date(updated_at).getTime() + 1).toISOString();
    const first = await update(id, key, `"${next}"`);
    expectProblem(first, 412, 'precondition_failed');
    await server.sql(`UPDATE incidents SET updated_at = $2 WHERE id = $1`, [id, next]);
    const second = await update(id, key, `"${next}"`);
    expect([second.status, second.text, replayed(second)]).toEqual([412, first.text, 'true']);
  });

  it('returns 422 idempotency_key_reused for different If-Match headers', async () => {
    const { id, updated_at } = await newIncident();
    const [conditional, plain] = [newKey(), newKey()];
    const first = await update(id, conditional, `"${updated_at}"`);
    const second = await update(id, plain);
    expect([first.status, second.status]).toEqual([201, 201]);
    const before = await hashesOf(server);
    for (const other of [undefined, '*', `"stale"`, `"${updated_at}", "stale"`])
      expectProblem(await update(id, conditional, other), 422, 'idempotency_key_reused');
    expectProblem(await update(id, plain, '*'), 422, 'idempotency_key_reused');
    expect(await hashesOf(server)).toEqual(before);
    expect((await update(id, conditional, `"${updated_at}"`)).text).toBe(first.text);
  });

  it('runs again after a 400', async () => {
    const key = newKey();
    const unknown = { project_id: tenant.project_id, name: 'Page', sections: [sectionOf(newKey())] };
    expectProblem(await post('/v1/status-pages', { ...unknown, name: '' }, key), 400, 'validation_failed');
    expectProblem(await post('/v1/status-pages', unknown, key), 400, 'validation_failed');
    const [monitor = ''] = await server.monitors(tenant, 1);
    const mended = await post('/v1/status-pages', { ...unknown, sections: [sectionOf(monitor)] }, key);
    expect([mended.status, replayed(mended)]).toEqual([201, null]);
  });

  it('replaces secrets by null', async () => {
    const page = await server.page(tenant);
    const made = await server.key(tenant.organization_id);
    const endpoint = await make(server, tenant, resourceOf('webhook_endpoints'));
    for (const [path, json, field] of [
      ['/v1/api-keys', { name: 'Key', scopes: ['projects:read'] }, 'key'],
      [`/v1/api-keys/${made.id}/rotate`, {}, 'key'],
      [`/v1/status-pages/${page.id}/preview-links`, {}, 'url'],
      [
        '/v1/webhook-endpoints',
        { project_id: tenant.project_id, url: 'https://hooks.example.com/' },
        'secret',
      ],
      [`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, {}, 'secret'],
    ] as const) {
      const key = newKey();
      const first = await post(path, json, key);
      const second = await post(path, json, key);
      const secret: unknown = Reflect.get(first.body.data, field);
      expect(typeof secret).toBe('string');
      expect([second.status, replayed(second)]).toEqual([first.status, 'true']);
      expect(second.body.data).toEqual({ ...first.body.data, [field]: null });
      const rows = await server.sql<{ body: string }[]>(`SELECT body FROM idempotency_keys WHERE key = $1`, [
        key,
      ]);
      expect(rows.map(({ body }) => body.includes(String(secret)))).toEqual([false]);
    }
  });
});

function sectionOf(monitor: string): object {
  return { id: 'core', title: 'Core', monitor_ids: [monitor] };
}

describe('Idempotency-Key header', () => {
  it.each([
    ['is empty', ''],
    ['has 256 characters', 'k'.repeat(256)],
    ['contains an unfinished string', '"abc'],
    ['contains an empty string', '""'],
    ['contains non-ASCII letters', 'k\u00e9y'],
  ])('returns 400 together with other errors if it %s', async (_case, value) => {
    const answer = await server.ask('/v1/projects', {
      method: 'POST',
      key: tenant.key,
      json: { nmae: 'x' },
      headers: { 'Idempotency-Key': value },
    });
    const { errors } = expectProblem(answer, 400, 'validation_failed');
    expect(errors).toContainEqual(
      expect.objectContaining({ parameter: 'Idempotency-Key', code: 'invalid_format' }),
    );
    expect(errors).toContainEqual(expect.objectContaining({ pointer: '#/nmae' }));
  });

  it('accepts 255 characters', async () => {
    const key = newKey().padEnd(255, 'k');
    const first = await post('/v1/projects', { name: 'Project' }, key);
    expect((await post('/v1/projects', { name: 'Project' }, key)).text).toBe(first.text);
  });

  it('affects only POST', async () => {
    const key = newKey();
    const headers = { 'Idempotency-Key': key };
    const { body } = await post('/v1/projects', { name: 'Project' }, key);
    const path = `/v1/projects/${body.data.id}`;
    const read = await server.ask<One<{ name: string }>>(path, { key: tenant.key, headers });
    const patched = await server.ask(path, {
      method: 'PATCH',
      key: tenant.key,
      json: { name: 'B' },
      headers,
    });
    const again = await server.ask(path, { method: 'PATCH', key: tenant.key, json: { name: 'C' }, headers });
    expect([read, patched, again].map((answer) => [answer.status, replayed(answer)])).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ]);
    expect(again.body.data.name).toBe('C');
  });

  it('allows browsers to send it and to read Idempotency-Replayed', async () => {
    const preflight = await fetch(`${server.url}/v1/projects`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    const answer = await post('/v1/projects', { name: 'Project' }, newKey());
    expect(answer.headers.get('access-control-expose-headers')).toContain('Idempotency-Replayed');
  });
});
