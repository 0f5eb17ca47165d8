import { describe, expect, it } from 'vitest';
import { NEVER, useProjects } from './use-projects.js';

const { server, tenant, ask, make } = useProjects();

describe('POST /v1/projects', () => {
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
