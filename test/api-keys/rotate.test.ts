import { SCOPES } from '../../src/platform/auth/scopes.js';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { inSeconds, UNKNOWN_ID, useApiKeys } from './use-api-keys.js';

const { server, tenant, ask, make, me, endsInTime } = useApiKeys();

describe('POST /v1/api-keys/{id}/rotate', () => {
  it('creates a key with the same rights and revokes the old one', async () => {
    const project_ids = [await server.project(tenant.organization_id)];
    const old = await make({ name: 'Old', project_ids, expires_at: inSeconds(3600) });
    const { status, headers, body } = await ask('POST', `/${old.id}/rotate`, {});
    expect(status).toBe(201);
    const { id, key, prefix, created_at, ...same } = body.data;
    expect(same).toEqual({
      name: 'Old',
      scopes: old.scopes,
      project_ids,
      expires_at: old.expires_at,
      revoked_at: null,
      last_used_at: null,
    });
    expect([id === old.id, key === old.key, created_at < old.created_at]).toEqual([false, false, false]);
    expect(key.startsWith(prefix)).toBe(true);
    expect(headers.get('location')).toBe(`/v1/api-keys/${id}`);
    expect((await me(key)).status).toBe(200);
    expect((await me(old.key)).status).toBe(401);
  });

  it('accepts a request without a body', async () => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`)).status).toBe(201);
  });

  it('keeps the old key valid for overlap_seconds', async () => {
    const { id, key } = await make();
    const before = Date.now();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds: 60 })).status).toBe(201);
    expect((await me(key)).status).toBe(200);
    const { revoked_at } = (await ask('GET', `/${id}`)).body.data;
    const overlap = new Date(String(revoked_at)).getTime() - before;
    expect([overlap >= 59_900, overlap < 70_000]).toEqual([true, true]);
    await endsInTime({ id, key }, 'revoked_at');
  });

  it.each([0, 86_400])('accepts overlap_seconds %i', async (overlap_seconds) => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds })).status).toBe(201);
  });

  it.each([
    [-1, 'out_of_range'],
    [86_401, 'out_of_range'],
    [1.5, 'out_of_range'],
    ['1', 'invalid_type'],
    [null, 'invalid_type'],
  ])('returns 400 for overlap_seconds %j', async (overlap_seconds, code) => {
    const { id, key } = await make();
    expectProblem(await ask('POST', `/${id}/rotate`, { overlap_seconds }), 400, 'validation_failed', {
      code,
      pointer: '#/overlap_seconds',
    });
    expect((await me(key)).status).toBe(200);
  });

  it('rotates the calling key', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write'] });
    const { body } = await ask('POST', `/${id}/rotate`, {}, key);
    expect((await me(key)).status).toBe(401);
    expect((await me(body.data.key)).status).toBe(200);
  });

  it('rotates once for concurrent requests, and returns 409 for a rotated, revoked or expired key', async () => {
    const { id } = await make();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    const revoked = await make();
    await ask('DELETE', `/${revoked.id}`);
    const expired = await make({ expires_at: inSeconds(3600) });
    await server.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.id]);
    for (const old of [revoked.id, expired.id]) {
      const { detail } = expectProblem(await ask('POST', `/${old}/rotate`, {}), 409, 'conflict');
      expect(detail).toBe('The API key is revoked, expired or already rotated');
    }
  });

  it('causes no deadlock if two keys rotate each other', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await make({ scopes: [...SCOPES] }), await make({ scopes: [...SCOPES] })];
      await Promise.all([me(a.key), me(b.key)]);
      const rotate = (id: string, key: string) => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 }, key);
      const answers = await Promise.all([rotate(a.id, b.key), rotate(b.id, a.key)]);
      // The first request rotated the calling key of the second, so that key expires earlier than the key to rotate.
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    }
  });

  it('lets the old key be revoked during the overlap period', async () => {
    const { id, key } = await make();
    await ask('POST', `/${id}/rotate`, { overlap_seconds: 86_400 });
    expect((await me(key)).status).toBe(200);
    await ask('DELETE', `/${id}`);
    expect((await me(key)).status).toBe(401);
  });

  it('returns 403 for a key with more rights than the calling key', async () => {
    const strong = await make({ scopes: ['projects:read', 'projects:write'] });
    const weak = await make({ scopes: ['api_keys:write', 'projects:read'] });
    expectProblem(await ask('POST', `/${strong.id}/rotate`, {}, weak.key), 403, 'insufficient_scope');
    const brief = await make({ scopes: [...SCOPES], expires_at: inSeconds(3600) });
    const longer = await ask('POST', `/${strong.id}/rotate`, {}, brief.key);
    const { detail } = expectProblem(longer, 403, 'forbidden');
    expect(detail).toBe('Cannot rotate a key that expires later than the calling key');
    expect((await me(strong.key)).status).toBe(200);
  });

  it('returns 404 for an unknown key', async () => {
    const { detail } = expectProblem(await ask('POST', `/${UNKNOWN_ID}/rotate`, {}), 404, 'not_found');
    expect(detail).toBe('API key not found');
  });
});
