import { describe, expect, it } from 'vitest';
import { NEVER, useMonitors } from './use-monitors.js';

const { tenant, ask, make } = useMonitors();

describe('POST /v1/monitors', () => {
  it('that is made is 201 with Location and ETag, and is then there to read and in the list', async () => {
    const { status, headers, body } = await ask('POST', '', {
      project_id: tenant.project_id.toUpperCase(),
      name: 'API 🚀',
      description: 'The public one.',
    });
    expect(status).toBe(201);
    expect(Object.entries(body.data)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)],
      ['name', 'API 🚀'],
      ['description', 'The public one.'],
      ['project_id', tenant.project_id],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['updated_at', body.data.created_at],
    ]);
    expect(headers.get('location')).toBe(`/v1/monitors/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await ask('GET', `/${body.data.id}`)).body).toEqual(body);
    expect((await ask('GET', `?project_id=${tenant.project_id}&limit=1`)).body.data).toEqual([body.data]);
  });

  it('has no description by default, and may have the name of another', async () => {
    const [one, other] = [await make(), await make()];
    expect([one.description, other.name]).toEqual(['', one.name]);
    expect(other.id).not.toBe(one.id);
  });

  it.each([
    [{ name: undefined }, 'required', '#/name'],
    [{ project_id: undefined }, 'required', '#/project_id'],
    [{ project_id: 'x' }, 'invalid_format', '#/project_id'],
    [{ name: '' }, 'too_short', '#/name'],
    [{ name: '\u2003' }, 'blank', '#/name'],
    [{ name: 'x'.repeat(201) }, 'too_long', '#/name'],
    [{ name: 1 }, 'invalid_type', '#/name'],
    [{ description: null }, 'invalid_type', '#/description'],
    [{ description: 'x'.repeat(2_001) }, 'too_long', '#/description'],
    [{ id: NEVER }, 'unknown_field', '#/id'],
  ])('is not made of %j', async (fields, code, pointer) => {
    const { status, body } = await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields });
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer }]]);
  });

  it('is not made in a project that does not exist: 404', async () => {
    expect((await ask('POST', '', { project_id: NEVER, name: 'API' })).status).toBe(404);
  });
});
