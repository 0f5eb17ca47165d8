import { describe, expect, it } from 'vitest';
import { type Scope } from '../../src/platform/auth/scopes.js';
import { expectInvalidKey } from '../support/expectations.js';
import { inSeconds, useApiKeys } from './use-api-keys.js';

const { server, tenant, make, me } = useApiKeys();

describe('GET /v1/me', () => {
  it.each<{ scopes: Scope[] }>([
    { scopes: ['status_pages:read'] },
    { scopes: ['api_keys:write', 'monitors:read'] },
  ])('describes the calling key without requiring a scope: %j', async ({ scopes }) => {
    const project_ids = [await server.project(tenant.organization_id)];
    const expires_at = inSeconds(3600);
    const { key, id, prefix } = await make({ name: 'Mine', scopes, project_ids, expires_at });
    const { status, body } = await me(key);
    expect([status, body.data]).toEqual([
      200,
      {
        id,
        name: 'Mine',
        prefix,
        scopes,
        project_ids,
        expires_at,
        organization_id: tenant.organization_id,
      },
    ]);
  });

  it('returns 401 for a key deleted from the database', async () => {
    const { key, id } = await make();
    expect((await me(key)).status).toBe(200); // the server caches it briefly
    await server.sql('DELETE FROM api_keys WHERE id = $1', [id]);
    expectInvalidKey(await me(key));
  });

  it('returns 401 without a key', async () => {
    expect((await server.ask('/v1/me')).body.code).toBe('missing_api_key');
  });
});
