import { describe, expect, it } from 'vitest';
import { MAX_ACTIVE_KEYS } from '../../src/api-keys/api-keys.service.js';
import type { Tenant } from '../support/server.js';
import { expectProblem } from '../support/expectations.js';
import { type Key, useApiKeys } from './use-api-keys.js';

const { server, ask } = useApiKeys();

/** Adds keys to an organization. `expires_at` and `revoked_at` are intervals from now. */
async function fill(
  { organization_id }: Tenant,
  count: number,
  { expires_at, revoked_at }: { expires_at?: string; revoked_at?: string } = {},
): Promise<void> {
  await server.sql(
    `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes, expires_at, revoked_at)
     SELECT gen_random_uuid(), $1, 'Key', 'sp_00000', sha256(gen_random_uuid()::text::bytea), '{projects:read}',
            now() + $3::interval, now() + $4::interval
       FROM generate_series(1, $2)`,
    [organization_id, count, expires_at ?? null, revoked_at ?? null],
  );
}

const create = ({ key }: Tenant) => ask('POST', '', { name: 'Key', scopes: ['projects:read'] }, key);
const rotate = ({ key }: Tenant, id: string, overlap_seconds: number) =>
  ask('POST', `/${id}/rotate`, { overlap_seconds }, key);

/** A tenant with one key fewer than the maximum, and one of its keys. */
async function almostFull(): Promise<{ tenant: Tenant; made: Key }> {
  const tenant = await server.tenant();
  const { data: made } = (await create(tenant)).body;
  await fill(tenant, MAX_ACTIVE_KEYS - 3);
  return { tenant, made };
}

describe(`organization with ${MAX_ACTIVE_KEYS} active keys`, () => {
  it('gets 409 conflict for another key until it revokes one', async () => {
    const { tenant, made } = await almostFull();
    expect((await create(tenant)).status).toBe(201);
    const answer = await create(tenant);
    expectProblem(answer, 409, 'conflict');
    expect(answer.body.detail).toBe(
      'The organization has 1000 active API keys, which is the maximum. Revoke or rotate an unused key.',
    );
    expect((await create(await server.tenant())).status).toBe(201);
    expect((await ask('DELETE', `/${made.id}`, undefined, tenant.key)).status).toBe(204);
    expect((await create(tenant)).status).toBe(201);
  });

  it('can rotate without an overlap, but not with one', async () => {
    const { tenant, made } = await almostFull();
    expect((await create(tenant)).status).toBe(201);
    const { status, body } = await rotate(tenant, made.id, 0);
    expect(status).toBe(201);
    const refused = await rotate(tenant, body.data.id, 60);
    expectProblem(refused, 409, 'conflict');
    expect(refused.body.detail).toBe(
      'The organization has 1000 active API keys, which is the maximum. Set overlap_seconds to 0, or revoke another key.',
    );
    const { body: unchanged } = await ask('GET', `/${body.data.id}`, undefined, tenant.key);
    expect(unchanged.data.revoked_at).toBe(null);
  });

  it('gets errors about invalid input and missing rights first', async () => {
    const { tenant } = await almostFull();
    await create(tenant);
    const wanted = { name: 'Key', scopes: ['projects:read'], project_ids: [tenant.organization_id] };
    expectProblem(await ask('POST', '', wanted, tenant.key), 400, 'validation_failed');
  });

  it('cannot exceed the maximum with concurrent requests', async () => {
    const tenant = await server.tenant();
    const made: Key[] = [];
    while (made.length < 5) made.push((await create(tenant)).body.data);
    await fill(tenant, MAX_ACTIVE_KEYS - 10);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => create(tenant)),
      ...made.map(({ id }) => rotate(tenant, id, 60)),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([
      ...Array.from({ length: 4 }, () => 201),
      ...Array.from({ length: 11 }, () => 409),
    ]);
  });
});

describe('maximum of active keys', () => {
  it('counts keys in their overlap period, but not revoked and expired keys', async () => {
    const tenant = await server.tenant();
    await fill(tenant, MAX_ACTIVE_KEYS, { revoked_at: '-1 s' });
    await fill(tenant, MAX_ACTIVE_KEYS, { expires_at: '-1 s' });
    await fill(tenant, MAX_ACTIVE_KEYS, { expires_at: '1 hour', revoked_at: '-1 s' });
    await fill(tenant, MAX_ACTIVE_KEYS - 2, { expires_at: '2 hours', revoked_at: '1 hour' });
    expect((await create(tenant)).status).toBe(201);
    expectProblem(await create(tenant), 409, 'conflict');
  });

  it('allows the administrator to exceed it', async () => {
    const tenant = await server.tenant();
    await fill(tenant, MAX_ACTIVE_KEYS);
    expect((await server.key(tenant.organization_id)).key).toMatch(/^sp_/);
  });
});
