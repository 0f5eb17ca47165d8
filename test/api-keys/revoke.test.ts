import { type ListPage } from '../support/server.js';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { TIME, UNKNOWN_ID, useApiKeys, type Key } from './use-api-keys.js';

const { ask, make, me, begin } = useApiKeys();

describe('DELETE /v1/api-keys/{id}', () => {
  it('returns 204 and revokes the key, which can still be read', async () => {
    const { id, key } = await make();
    const { status, text } = await ask('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await me(key)).body.code).toBe('invalid_api_key');
    const { body } = await ask('GET', `/${id}`);
    expect(body.data.revoked_at).toMatch(TIME);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect((await ask('GET', `/${id}`)).body).toEqual(body);
  });

  it('revokes the calling key', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write'] });
    expect((await ask('DELETE', `/${id}`, undefined, key)).status).toBe(204);
    expect((await ask('DELETE', `/${id}`, undefined, key)).status).toBe(401);
  });

  it('rejects a request of the key whose body is still arriving', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const late = await begin(id, key, '/v1/api-keys', { name: 'Late', scopes: ['projects:read'] });
    await ask('DELETE', `/${id}`);
    const answer = await late();
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain('invalid_api_key');
    const { body: list } = await ask<ListPage<Key>>('GET', '?limit=1');
    expect(list.data[0]?.name).not.toBe('Late');
  });

  it('returns 404 for an unknown key', async () => {
    for (const method of ['DELETE', 'GET']) {
      const { detail } = expectProblem(await ask(method, `/${UNKNOWN_ID}`), 404, 'not_found');
      expect(detail).toBe('API key not found');
    }
  });
});
