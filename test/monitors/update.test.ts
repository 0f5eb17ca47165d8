import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { NEVER, useMonitors } from './use-monitors.js';

const { ask, make } = useMonitors();

describe('PATCH /v1/monitors/{id}', () => {
  it('changes the fields that are sent and no others; equal values, or none, change nothing', async () => {
    const made = await make({ description: 'Old.' });
    const first = await ask('PATCH', `/${made.id}`, { name: 'New' });
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual({ ...made, name: 'New', updated_at: first.body.data.updated_at });
    expect(first.body.data.updated_at > made.updated_at).toBe(true);
    expect(first.headers.get('etag')).toBe(`"${first.body.data.updated_at}"`);
    const second = await ask('PATCH', `/${made.id}`, { description: '' });
    expect(second.body.data).toMatchObject({ name: 'New', description: '' });
    for (const json of [{}, { name: 'New' }, { name: 'New', description: '' }])
      expect((await ask('PATCH', `/${made.id}`, json)).body).toEqual(second.body);
  });

  it('loses no change when different fields are patched at the same time', async () => {
    const { id } = await make();
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        ask('PATCH', `/${id}`, { name: `Name ${round}` }),
        ask('PATCH', `/${id}`, { description: `Text ${round}` }),
      ]);
      expect((await ask('GET', `/${id}`)).body.data).toMatchObject({
        name: `Name ${round}`,
        description: `Text ${round}`,
      });
    }
  });

  it.each([
    [{ name: null }, 'invalid_type', '#/name'],
    [{ project_id: NEVER }, 'unknown_field', '#/project_id'],
  ])('answers 400 for %j', async (json, code, pointer) => {
    const { id } = await make();
    expectProblem(await ask('PATCH', `/${id}`, json), 400, 'validation_failed', { code, pointer });
  });

  it('answers 412 if If-Match names another version, and so does DELETE', async () => {
    const { id, updated_at } = await make();
    const late = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    for (const json of [{ name: 'Late' }, {}])
      expect((await ask('PATCH', `/${id}`, json, late)).status).toBe(412);
    expect((await ask('DELETE', `/${id}`, undefined, late)).status).toBe(412);
    const now = { 'If-Match': `"${updated_at}"` };
    expect((await ask('PATCH', `/${id}`, {}, now)).status).toBe(200);
    expect((await ask('DELETE', `/${id}`, undefined, now)).status).toBe(204);
  });

  it('answers 404 for an unknown monitor, as GET and DELETE do', async () => {
    expect((await ask('GET', `/${NEVER}`)).status).toBe(404);
    expect((await ask('PATCH', `/${NEVER}`, {})).status).toBe(404);
    expect((await ask('PATCH', `/${NEVER}`, { name: 'x' })).status).toBe(404);
    expect((await ask('DELETE', `/${NEVER}`)).status).toBe(404);
  });
});
