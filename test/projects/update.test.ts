import { describe, expect, it } from 'vitest';
import { useProjects } from './use-projects.js';

const { ask, make } = useProjects();

describe('PATCH /v1/projects/{id}', () => {
  it('changes the name and updated_at, and nothing for an equal name', async () => {
    const { id, created_at, updated_at } = await make();
    const { status, body, headers } = await ask('PATCH', `/${id}`, { name: 'New' });
    expect([status, body.data]).toMatchObject([200, { id, name: 'New', created_at }]);
    expect(body.data.updated_at > updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    for (const json of [{}, { name: 'New' }]) expect((await ask('PATCH', `/${id}`, json)).body).toEqual(body);
  });

  it('returns 412 if the version has changed, like DELETE', async () => {
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
});
