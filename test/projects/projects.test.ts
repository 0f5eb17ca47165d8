import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Tenant, TestServer } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';

const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
});
afterAll(() => server.stop());

const ask = (
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
  key = tenant.key,
): Promise<Answer> => server.ask(`/v1/projects${path}`, { method, key, json, headers });

const make = async (name = 'Acme') => (await ask('POST', '', { name })).body.data;

describe('a project', () => {
  it('that is made is 201 with Location and ETag, and is then there to read and in the list', async () => {
    const { status, headers, body } = await ask('POST', '', { name: 'Acme 🚀' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Acme 🚀',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/projects/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await ask('GET', `/${body.data.id}`)).body).toEqual(body);
    expect((await ask('GET', '?limit=1')).body.data).toEqual([body.data]);
  });

  it.each([
    [{}, 'required', '#/name'],
    [{ name: '' }, 'too_short', '#/name'],
    [{ name: ' ' }, 'blank', '#/name'],
    [{ name: 'x'.repeat(201) }, 'too_long', '#/name'],
    [{ name: null }, 'invalid_type', '#/name'],
    [{ name: 'Acme', id: NEVER }, 'unknown_field', '#/id'],
    [{ name: 'Acme', organization_id: NEVER }, 'unknown_field', '#/organization_id'],
  ])('is not made of %j', async (json, code, pointer) => {
    const { status, body } = await ask('POST', '', json);
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer }]]);
  });

  it('can at once own monitors and pages', async () => {
    const { id: project_id } = await make();
    expect((await server.list({ ...tenant, project_id })).body.data).toEqual([]);
    const { status } = await server.ask('/v1/status-pages', {
      method: 'POST',
      key: tenant.key,
      json: { project_id, name: 'Page' },
    });
    expect(status).toBe(201);
  });

  it('changes its name, which grows updated_at; an equal one, or none, changes nothing', async () => {
    const { id, created_at, updated_at } = await make();
    const { status, body, headers } = await ask('PATCH', `/${id}`, { name: 'New' });
    expect([status, body.data]).toMatchObject([200, { id, name: 'New', created_at }]);
    expect(body.data.updated_at > updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    for (const json of [{}, { name: 'New' }]) expect((await ask('PATCH', `/${id}`, json)).body).toEqual(body);
  });

  it('is changed or deleted only in the version that If-Match names: otherwise 412', async () => {
    const { id, updated_at } = await make();
    const late = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    for (const [method, json] of [
      ['PATCH', { name: 'Late' }],
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const)
      expect((await ask(method, `/${id}`, json, late)).status).toBe(412);
    expect((await ask('DELETE', `/${id}`, undefined, { 'If-Match': `"${updated_at}"` })).status).toBe(204);
  });

  it('that is deleted is nowhere any more', async () => {
    const { id } = await make();
    const { status, text } = await ask('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `/${id}`, { name: 'Gone' })).status).toBe(404);
    expect((await ask('DELETE', `/${id}`)).status).toBe(404);
    expect((await server.list({ ...tenant, project_id: id })).status).toBe(404);
    const { body } = await ask('GET', '?limit=100');
    expect(body.data.map((project) => project.id)).not.toContain(id);
  });

  it('is not deleted while it owns pages or monitors: 409, and nothing changes', async () => {
    const project_id = (await make()).id;
    const owner = { ...tenant, project_id };
    const page = await server.page(owner);
    const refused = await ask('DELETE', `/${project_id}`);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'conflict',
      'The project is not empty: delete what it owns first',
    ]);
    await server.ask(`/v1/status-pages/${page.id}`, { method: 'DELETE', key: tenant.key });
    const [monitor] = await server.monitors(owner, 1);
    expect((await ask('DELETE', `/${project_id}`)).status).toBe(409);
    await server.sql('DELETE FROM monitors WHERE id = $1', [monitor]);
    expect((await ask('DELETE', `/${project_id}`)).status).toBe(204);
  });

  it('that is deleted while a page, a monitor or an import is made in it leaves either both, or neither: then that is 404', async () => {
    for (let round = 0; round < 60; round++) {
      const project_id = (await make()).id;
      const json = { project_id, name: 'Race' };
      const file = { headers: { 'Content-Type': 'application/yaml' }, body: 'endpoints: [{ name: API }]' };
      const creations = [
        () => server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json }),
        () => server.ask('/v1/monitors', { method: 'POST', key: tenant.key, json }),
        () =>
          server.ask(`/v1/imports/gatus?project_id=${project_id}`, {
            method: 'POST',
            key: tenant.key,
            ...file,
          }),
      ];
      const [made, deleted] = await Promise.all([creations[round % 3]?.(), ask('DELETE', `/${project_id}`)]);
      const outcome = made?.status === 201 ? [201, 409] : [404, 204];
      expect([made?.status, deleted.status]).toEqual(outcome);
    }
  });

  it('of a key that is narrowed to it can be read and changed, but no project can be made', async () => {
    const { id } = await make();
    await make();
    const { key } = await server.key(tenant.organization_id, { project_ids: [id] });
    const { body } = await ask('GET', '', undefined, {}, key);
    expect(body.data.map((project) => project.id)).toEqual([id]);
    expect((await ask('PATCH', `/${id}`, { name: 'Mine' }, {}, key)).status).toBe(200);
    const refused = await ask('POST', '', { name: 'Another' }, {}, key);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await ask('GET', `/${tenant.project_id}`, undefined, {}, key)).status).toBe(404);
  });
});

describe('the list of projects', () => {
  it('is newest first, in pages that neither skip nor repeat, and knows its own cursor only', async () => {
    const own = await server.tenant();
    const made = [own.project_id];
    for (let count = 0; count < 6; count++) made.unshift(await server.project(own.organization_id));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask('GET', `?limit=3${cursor && `&cursor=${cursor}`}`, undefined, {}, own.key);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor ?? '';
      expect(body.pagination.has_more).toBe(cursor !== '');
      if (cursor) {
        const elsewhere = await ask('GET', `?cursor=${cursor}`);
        expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'invalid_cursor']);
        const ofPages = await server.list({ ...own, project_id: own.project_id }, { cursor });
        expect([ofPages.status, ofPages.body.code]).toEqual([400, 'invalid_cursor']);
      }
    } while (cursor);
    expect(seen).toEqual(made);
  });

  it('takes limit and cursor, and nothing else', async () => {
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?cursor=x',
      `?project_id=${tenant.project_id}`,
      '?limit=1&limit=1',
    ])
      expect([query, (await ask('GET', query)).status]).toEqual([query, 400]);
  });

  it('reads one stretch of its index, however many projects there are', async () => {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO projects (id, organization_id, name, created_at)
       SELECT gen_random_uuid(), $1, 'P', now() - n * interval '1 second' FROM generate_series(1, 5000) AS n`,
      [own.organization_id],
    );
    await server.sql('ANALYZE projects');
    const statements = await requestStatementsOf(() => ask('GET', '?limit=25', undefined, {}, own.key));
    const statement = statements.find((one) => one.includes('FROM projects'));
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${statement}`, [
      own.organization_id,
      null,
      26,
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('projects_list_idx');
  });
});
