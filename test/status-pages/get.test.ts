import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const read = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.ask(`/v1/status-pages/${id}`, { key: tenant.key, headers, method });

describe('GET /v1/status-pages/{id}', () => {
  it('returns the page as in the list, with an ETag', async () => {
    const { id } = await server.page(tenant, { name: 'Read' });
    const { status, headers, body } = await read(id);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toEqual((await server.list(tenant, { limit: 1 })).body.data[0]);
    expect(Object.keys(body.data)).toHaveLength(16);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
  });

  it('accepts HEAD requests and IDs in upper case', async () => {
    const { id } = await server.page(tenant);
    expect((await read(id.toUpperCase())).body.data.id).toBe(id);
    const head = await read(id, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('returns 304 only for reads, because PATCH ignores If-None-Match', async () => {
    const { id } = await server.page(tenant);
    const tag = String((await read(id)).headers.get('etag'));
    for (const header of [tag, '*']) {
      const { status, body } = await server.patch(tenant, id, {}, { 'If-None-Match': header });
      expect([status, body.data.id]).toEqual([200, id]);
    }
  });

  it('returns 304 for the current ETag and 200 after a change', async () => {
    const { id } = await server.page(tenant);
    const tag = String((await read(id)).headers.get('etag'));
    const suffixed = tag.replace(/"$/, '-gzip"');
    for (const header of [tag, `"other", ${tag}`, '*', `W/${tag}`, suffixed, `W/${suffixed}`]) {
      const { status, text, headers } = await read(id, { 'If-None-Match': header });
      expect([header, status, text, headers.get('etag')]).toEqual([header, 304, '', tag]);
    }
    await server.patch(tenant, id, { name: 'Changed' });
    const { status, body } = await read(id, { 'If-None-Match': tag });
    expect([status, body.data.name]).toEqual([200, 'Changed']);
  });

  it('returns 400 for If-None-Match without quotes', async () => {
    const { id, updated_at } = await server.page(tenant);
    const { status, body } = await read(id, { 'If-None-Match': updated_at.toISOString() });
    const detail = 'must be * or a list of ETags, each in double quotes';
    const errors = [{ code: 'invalid_format', detail, parameter: 'If-None-Match' }];
    expect([status, body.errors]).toEqual([400, errors]);
    for (const header of ['"x"', '"-gzip"', `"${updated_at.toISOString()}-x"`])
      expect((await read(id, { 'If-None-Match': header })).status).toBe(200);
  });

  it('returns 304 unlike all other kinds of operations', async () => {
    // Unlike fetch, which adds Cache-Control: no-cache to a custom condition.
    const plain = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'If-None-Match': '*', Authorization: `Bearer ${tenant.key}` };
        get(server.url + path, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    const { id } = await server.page(tenant);
    expect(await plain(`/v1/status-pages/${id}`)).toBe(304);
    const project = `project_id=${tenant.project_id}`;
    for (const path of [`/v1/status-pages?${project}`, '/v1/projects', '/v1/me', '/health/live', '/problems'])
      expect([path, await plain(path)]).toEqual([path, 200]);
  });

  it('returns 404 for an unknown page and 400 for a malformed ID', async () => {
    expect((await read('0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01')).body.code).toBe('not_found');
    const { status, body } = await read('x');
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'invalid_format', detail: 'must be a UUID', parameter: 'id' }],
    ]);
  });
});
