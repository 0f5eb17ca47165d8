import { type Project } from '../../clients/typescript/src/index.js';
import { type ListPage } from '../support/server.js';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID, useProjects } from './use-projects.js';

const { server, tenant, ask, make } = useProjects();

describe('POST /v1/projects', () => {
  it('returns 201 with Location and ETag and makes the project readable', async () => {
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
    [{ name: 'Acme', id: UNKNOWN_ID }, 'unknown_field', '#/id'],
    [{ name: 'Acme', organization_id: UNKNOWN_ID }, 'unknown_field', '#/organization_id'],
  ])('returns 400 for %j', async (json, code, pointer) => {
    expectProblem(await ask('POST', '', json), 400, 'validation_failed', { code, pointer });
  });

  it('creates a project that can immediately own monitors and pages', async () => {
    const { id: project_id } = await make();
    expect((await server.list({ ...tenant, project_id })).body.data).toEqual([]);
    const { status } = await server.ask('/v1/status-pages', {
      method: 'POST',
      key: tenant.key,
      json: { project_id, name: 'Page' },
    });
    expect(status).toBe(201);
  });

  it('returns 403 to a key that is limited to one project', async () => {
    const { id } = await make();
    await make();
    const { key } = await server.key(tenant.organization_id, { project_ids: [id] });
    const { body } = await ask<ListPage<Project>>('GET', '', undefined, {}, key);
    expect(body.data.map((project) => project.id)).toEqual([id]);
    expect((await ask('PATCH', `/${id}`, { name: 'Mine' }, {}, key)).status).toBe(200);
    const refused = await ask('POST', '', { name: 'Another' }, {}, key);
    expectProblem(refused, 403, 'forbidden');
    expect((await ask('GET', `/${tenant.project_id}`, undefined, {}, key)).status).toBe(404);
  });
});
