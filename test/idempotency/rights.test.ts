import { describe, expect, it } from 'vitest';
import { ApiKeyAuthenticator } from '../../src/platform/auth/api-key-authenticator.js';
import type { Scope } from '../../src/platform/auth/scopes.js';
import { expectProblem } from '../support/expectations.js';
import type { One } from '../support/server.js';
import { useIdempotency } from './use-idempotency.js';

const { server, tenant, newKey, post, replayed } = useIdempotency();

const idsNamed = async (table: string, name: string): Promise<string[]> => {
  const rows = await server.sql<{ id: string }[]>(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND name = $2`,
    [tenant.organization_id, name],
  );
  return rows.map(({ id }) => id);
};

/** Rotates a key, which stays valid for an hour. Returns the secret of its successor. */
async function rotate(id: string): Promise<{ id: string; key: string }> {
  const { body } = await server.ask<One<{ id: string; key: string }>>(`/v1/api-keys/${id}/rotate`, {
    method: 'POST',
    key: tenant.key,
    json: { overlap_seconds: 3_600 },
  });
  return body.data;
}

describe('repeated POST after a rotation of its API key', () => {
  it('returns the first response to the successor and to its own successor', async () => {
    const [name, key] = [newKey(), newKey()];
    const old = await server.key(tenant.organization_id);
    const first = await post('/v1/projects', { name }, key, old.key);
    const second = await rotate(old.id);
    const third = await rotate(second.id);
    for (const secret of [second.key, third.key, old.key]) {
      const again = await post('/v1/projects', { name }, key, secret);
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
    }
    expect(await idsNamed('projects', name)).toEqual([first.body.data.id]);
  });

  it('returns the first response of the successor to the old key', async () => {
    const [name, key] = [newKey(), newKey()];
    const old = await server.key(tenant.organization_id);
    const successor = await rotate(old.id);
    const first = await post('/v1/projects', { name }, key, successor.key);
    expect((await post('/v1/projects', { name }, key, old.key)).text).toBe(first.text);
    expect(await idsNamed('projects', name)).toEqual([first.body.data.id]);
  });

  it('creates one resource if both keys send it concurrently', async () => {
    const old = await server.key(tenant.organization_id);
    const successor = await rotate(old.id);
    for (const name of Array.from({ length: 5 }, newKey)) {
      const answers = await Promise.all(
        [old, successor, old, successor].map(({ key }) => post('/v1/projects', { name }, name, key)),
      );
      expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
      expect(await idsNamed('projects', name)).toHaveLength(1);
    }
  });

  it('runs again with a key that the first key created', async () => {
    const [name, key] = [newKey(), newKey()];
    const parent = await server.key(tenant.organization_id);
    const first = await post('/v1/projects', { name }, key, parent.key);
    const json = { name: 'Child', scopes: ['projects:write'] };
    const child = await server.ask<One<{ key: string }>>('/v1/api-keys', {
      method: 'POST',
      key: parent.key,
      json,
    });
    const second = await post('/v1/projects', { name }, key, child.body.data.key);
    expect([second.status, replayed(second)]).toEqual([201, null]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });
});

describe('repeated POST whose API key has lost', () => {
  /** Changes a key in the database, because no operation does, and makes the server look it up again. */
  async function change(id: string, field: 'scopes' | 'project_ids', values: string[]): Promise<void> {
    await server.sql(`UPDATE api_keys SET ${field} = $2 WHERE id = $1`, [id, values]);
    server.app.get(ApiKeyAuthenticator).clearCache();
  }

  it('the scope returns 403 and creates nothing', async () => {
    const scopes: Scope[] = ['monitors:read', 'monitors:write'];
    const { id, key } = await server.key(tenant.organization_id, { scopes });
    const [name, idempotencyKey] = [newKey(), newKey()];
    const send = () => post('/v1/monitors', { project_id: tenant.project_id, name }, idempotencyKey, key);
    const first = await send();
    expect(first.status).toBe(201);
    await change(id, 'scopes', ['monitors:read']);
    const second = await send();
    expectProblem(second, 403, 'insufficient_scope');
    expect([replayed(second), second.text.includes(name)]).toEqual([null, false]);
    expect(await idsNamed('monitors', name)).toEqual([first.body.data.id]);
  });

  it.each([
    ['its only project', (own: string) => [own], (_own: string, other: string) => [other]],
    [
      'one of its projects',
      (own: string, other: string) => [own, other],
      (_: string, other: string) => [other],
    ],
    ['the other projects of its organization', () => null, (_own: string, other: string) => [other]],
  ])('%s returns 403 and creates nothing', async (_case, before, after) => {
    const other = await server.project(tenant.organization_id);
    const own = tenant.project_id;
    const { id, key } = await server.key(tenant.organization_id, { project_ids: before(own, other) });
    const [name, idempotencyKey] = [newKey(), newKey()];
    const send = () => post('/v1/monitors', { project_id: own, name }, idempotencyKey, key);
    const first = await send();
    expect([first.status, (await send()).text]).toEqual([201, first.text]);
    await change(id, 'project_ids', after(own, other));
    const second = await send();
    expectProblem(second, 403, 'forbidden');
    expect([replayed(second), second.text.includes(name)]).toEqual([null, false]);
    expect(await idsNamed('monitors', name)).toEqual([first.body.data.id]);
  });
});
