import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID, useMonitors } from './use-monitors.js';

const { ask, make } = useMonitors();

describe('PATCH /v1/monitors/{id}', () => {
  it('changes only the fields sent, and nothing for equal values', async () => {
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

  it('keeps concurrent changes of different fields', async () => {
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
    [{ project_id: UNKNOWN_ID }, 'unknown_field', '#/project_id'],
  ])('returns 400 for %j', async (json, code, pointer) => {
    const { id } = await make();
    expectProblem(await ask('PATCH', `/${id}`, json), 400, 'validation_failed', { code, pointer });
  });

  it('returns 412 if the version has changed, like DELETE', async () => {
    const { id, updated_at } = await make();
    const late = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    for (const json of [{ name: 'Late' }, {}])
      expect((await ask('PATCH', `/${id}`, json, late)).status).toBe(412);
    expect((await ask('DELETE', `/${id}`, undefined, late)).status).toBe(412);
    const now = { 'If-Match': `"${updated_at}"` };
    expect((await ask('PATCH', `/${id}`, {}, now)).status).toBe(200);
    expect((await ask('DELETE', `/${id}`, undefined, now)).status).toBe(204);
  });

  it('returns 404 for an unknown monitor, like GET and DELETE', async () => {
    expect((await ask('GET', `/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await ask('PATCH', `/${UNKNOWN_ID}`, {})).status).toBe(404);
    expect((await ask('PATCH', `/${UNKNOWN_ID}`, { name: 'x' })).status).toBe(404);
    expect((await ask('DELETE', `/${UNKNOWN_ID}`)).status).toBe(404);
  });
});
