import { SCOPES } from '../../src/auth/scopes.js';
import { describe, expect, it } from 'vitest';
import { until } from '../support/server.js';
import { inSeconds, NEVER, useApiKeys } from './use-api-keys.js';

const { server, tenant, ask, make, me } = useApiKeys();

describe('POST /v1/api-keys/{id}/rotate', () => {
  it('gets a new one that is as it was; the old one holds no more', async () => {
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

  it('needs no body', async () => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`)).status).toBe(201);
  });

  it('holds for overlap_seconds yet', async () => {
    const { id, key } = await make();
    const before = Date.now();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds: 2 })).status).toBe(201);
    expect((await me(key)).status).toBe(200);
    const { revoked_at } = (await ask('GET', `/${id}`)).body.data;
    const overlap = new Date(String(revoked_at)).getTime() - before;
    expect([overlap >= 1_900, overlap < 12_000]).toEqual([true, true]);
    await until(async () => (await me(key)).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(new Date(String(revoked_at)).getTime() - 100);
  });

  it.each([0, 86_400])('may overlap for %i seconds', async (overlap_seconds) => {
    const { id } = await make();
    expect((await ask('POST', `/${id}/rotate`, { overlap_seconds })).status).toBe(201);
  });

  it.each([
    [-1, 'out_of_range'],
    [86_401, 'out_of_range'],
    [1.5, 'out_of_range'],
    ['1', 'invalid_type'],
    [null, 'invalid_type'],
  ])('may not overlap for %j', async (overlap_seconds, code) => {
    const { id, key } = await make();
    const { status, body } = await ask('POST', `/${id}/rotate`, { overlap_seconds });
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer: '#/overlap_seconds' }]]);
    expect((await me(key)).status).toBe(200);
  });

  it('may be the one in use', async () => {
    const { id, key } = await make({ scopes: ['api_keys:write'] });
    const { body } = await ask('POST', `/${id}/rotate`, {}, key);
    expect((await me(key)).status).toBe(401);
    expect((await me(body.data.key)).status).toBe(200);
  });

  it('is rotated once by many at the same time; the others get 409, and so does one that is revoked or expired', async () => {
    const { id } = await make();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    const revoked = await make();
    await ask('DELETE', `/${revoked.id}`);
    const expired = await make({ expires_at: inSeconds(0.5) });
    await until(async () => (await me(expired.key)).status === 401);
    for (const old of [revoked.id, expired.id]) {
      const { status, body } = await ask('POST', `/${old}/rotate`, {});
      expect([status, body.code]).toEqual([409, 'conflict']);
    }
  });

  it('by a key that it rotates at the same time is no deadlock', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await make({ scopes: [...SCOPES] }), await make({ scopes: [...SCOPES] })];
      await Promise.all([me(a.key), me(b.key)]);
      const rotate = (id: string, key: string) => ask('POST', `/${id}/rotate`, { overlap_seconds: 60 }, key);
      const answers = await Promise.all([rotate(a.id, b.key), rotate(b.id, a.key)]);
      // Whichever comes second is rotated by then, and so ends before the other.
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    }
  });

  it('can still be revoked at once while it overlaps', async () => {
    const { id, key } = await make();
    await ask('POST', `/${id}/rotate`, { overlap_seconds: 86_400 });
    expect((await me(key)).status).toBe(200);
    await ask('DELETE', `/${id}`);
    expect((await me(key)).status).toBe(401);
  });

  it('may no more than the key in use: otherwise 403, and it stays', async () => {
    const strong = await make({ scopes: ['projects:read', 'projects:write'] });
    const weak = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const { status, body } = await ask('POST', `/${strong.id}/rotate`, {}, weak.key);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    const brief = await make({ scopes: [...SCOPES], expires_at: inSeconds(3600) });
    const longer = await ask('POST', `/${strong.id}/rotate`, {}, brief.key);
    expect([longer.status, longer.body.code]).toEqual([403, 'forbidden']);
    expect((await me(strong.key)).status).toBe(200);
  });

  it('that does not exist is 404', async () => {
    expect((await ask('POST', `/${NEVER}/rotate`, {})).status).toBe(404);
  });
});
