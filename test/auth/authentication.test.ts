import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { CredentialsRepository } from '../../src/platform/auth/credentials.repository.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { passTime } from '../support/clock.js';
import { type Ask, until, useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import {
  expectProblem,
  expectInvalidKey as expectInvalid,
  expectMissingKey as expectMissing,
} from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const authorized = (authorization: string): Ask => ({ headers: { Authorization: authorization } });

const list = (ask: Ask) => server.ask(`/v1/status-pages?project_id=${tenant.project_id}`, ask);

async function lastUsed(id: string): Promise<Date | null> {
  const rows = await server.sql<{ last_used_at: Date | null }[]>(
    'SELECT last_used_at FROM api_keys WHERE id = $1',
    [id],
  );
  return rows[0]?.last_used_at ?? null;
}

describe('request without a key', () => {
  it('returns 401 missing_api_key', async () => {
    expectMissing(await list({}));
    expectMissing(await server.ask(`/v1/status-pages/${UNKNOWN_ID}`, { method: 'PATCH', json: {} }));
  });

  it('reports a missing Bearer scheme and never repeats the key', async () => {
    const { body: none } = await list({});
    expect(none.detail).toBe('Send the key in the header Authorization: Bearer <API_KEY>');
    const values = [tenant.key, `Basic ${tenant.key}`, `Token ${tenant.key}`, `Bearer${tenant.key}`, ''];
    for (const authorization of values) {
      const answer = await list(authorized(authorization));
      expectMissing(answer);
      expect(answer.body.detail).toBe(
        `The Authorization header does not use the Bearer scheme. ${none.detail}`,
      );
      expect(answer.text).not.toContain(tenant.key.slice(0, 8));
    }
  });

  it('returns 401 even if the query contains a key', async () => {
    expectMissing(
      await server.ask(`/v1/status-pages?project_id=${tenant.project_id}&access_token=${tenant.key}`),
    );
  });

  it('returns 401 even if the body contains a key', async () => {
    const json = { access_token: tenant.key };
    expectMissing(await server.ask(`/v1/status-pages/${UNKNOWN_ID}`, { method: 'PATCH', json }));
    const form = { method: 'PATCH', body: `access_token=${tenant.key}` };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expectMissing(await server.ask(`/v1/status-pages/${UNKNOWN_ID}`, { ...form, headers }));
  });

  it('returns 401 for other headers and schemes', async () => {
    expectMissing(await list({ headers: { 'X-Api-Key': tenant.key } }));
    expectMissing(await list({ headers: { Cookie: `access_token=${tenant.key}` } }));
    expectMissing(await list(authorized(`Basic ${Buffer.from(`${tenant.key}:`).toString('base64')}`)));
    expectMissing(await list(authorized(tenant.key)));
  });
});

describe('request with a key', () => {
  it('succeeds', async () => {
    expect((await list({ key: tenant.key })).status).toBe(200);
  });

  it('accepts the scheme in any case', async () => {
    expect((await list(authorized(`bearer ${tenant.key}`))).status).toBe(200);
    expect((await list(authorized(`BEARER ${tenant.key}`))).status).toBe(200);
  });

  it.each(['Bearer', 'Bearer x', 'Bearer  x', 'Bearer a b', 'Bearer ,', 'Bearer sp_', 'Bearer null'])(
    'returns 401 invalid_api_key if the key is malformed: %j',
    async (authorization) => {
      expectInvalid(await list(authorized(authorization)));
    },
  );

  it('returns 401 invalid_api_key if the key is unknown, mistyped, longer or shorter', async () => {
    expectInvalid(await list({ key: generateKey() }));
    expectInvalid(await list({ key: `${tenant.key}0` }));
    expectInvalid(await list({ key: tenant.key.slice(0, -1) }));
    expectInvalid(await list({ key: tenant.key.toLowerCase() }));
    const other = tenant.key[20] === 'a' ? 'b' : 'a';
    expectInvalid(await list({ key: tenant.key.slice(0, 20) + other + tenant.key.slice(21) }));
  });

  it('rejects a mistyped key by its checksum, without a lookup', async () => {
    const { key } = await server.key(tenant.organization_id);
    const lookups = async (sent: string): Promise<[number, number]> => {
      let status = 0;
      const statements = await statementsOf(async () => ({ status } = await list({ key: sent })));
      return [status, statements.filter((text) => text.includes('key_hash')).length];
    };
    const other = key[20] === 'a' ? 'b' : 'a';
    for (const mistyped of [key.slice(0, 20) + other + key.slice(21), `${key}0`, key.slice(0, -1), 'x'])
      expect(await lookups(mistyped)).toEqual([401, 0]);
    expect(await lookups(key)).toEqual([200, 1]);
  });

  it('rejects additional text in the header, even with a cached key', async () => {
    expect((await list({ key: tenant.key })).status).toBe(200);
    for (const more of [' x', ',', `, Bearer ${tenant.key}`])
      expectInvalid(await list(authorized(`Bearer ${tenant.key}${more}`)));
    for (const before of ['x ', 'Basic ', 'x'])
      expectMissing(await list(authorized(`${before}Bearer ${tenant.key}`)));
  });

  it('rejects an additional key in the query as an unknown parameter', async () => {
    const path = `/v1/status-pages?project_id=${tenant.project_id}&access_token=${tenant.key}`;
    expectProblem(await server.ask(path, { key: tenant.key }), 400, 'validation_failed', {
      code: 'unknown_parameter',
      parameter: 'access_token',
    });
  });

  it('returns 401 invalid_api_key immediately after a revocation', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    expect((await list({ key })).status).toBe(200);
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    expectInvalid(await list({ key }));
  });

  it('returns 401 invalid_api_key after a revocation while others use the key', async () => {
    for (let round = 0; round < 15; round++) {
      const { key, id } = await server.key(tenant.organization_id);
      const using = Promise.all(Array.from({ length: 5 }, () => list({ key })));
      await server.app.get(ApiKeysService).revokeForAdministrator(id);
      expect((await list({ key })).status).toBe(401);
      await using;
      expect((await list({ key })).status).toBe(401);
    }
  });

  it('never caches a key that is revoked during its lookup', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const repository = server.app.get(CredentialsRepository);
    const findActive = repository.findActive.bind(repository);
    let found: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const isFound = new Promise<void>((resolve) => (found = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    // The response of the database reaches the service late, as over a slow network.
    repository.findActive = async (hash) => {
      const late = await findActive(hash);
      found();
      await mayGoOn;
      return late;
    };
    const using = list({ key });
    await isFound;
    repository.findActive = findActive;
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    goOn();
    await using;
    expect((await list({ key })).status).toBe(401);
  });

  it('returns 401 invalid_api_key within 2 seconds of a revocation by another process', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    expect((await list({ key })).status).toBe(200);
    await server.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await passTime(2_000);
    expect((await list({ key })).status).toBe(401);
  });

  it('returns 401 invalid_api_key after a revocation even if the lookup took as long as a key is cached', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const repository = server.app.get(CredentialsRepository);
    const find = repository.findActive.bind(repository);
    const startedAt = Date.now();
    vi.setSystemTime(startedAt);
    repository.findActive = async (hash) => {
      const found = await find(hash);
      vi.setSystemTime(startedAt + 1_500);
      return found;
    };
    const { status } = await list({ key }).finally(() => {
      repository.findActive = find;
      vi.useRealTimers();
    });
    expect(status).toBe(200);
    await server.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await passTime(2_000);
    expectInvalid(await list({ key }));
  });

  it('returns 401 invalid_api_key if the key has expired', async () => {
    const { key, id } = await server.key(tenant.organization_id, { expires_in: 3600 });
    expect((await list({ key })).status).toBe(200);
    await server.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    await passTime(2_000);
    expectInvalid(await list({ key }));
  });

  it('returns the same error for malformed, unknown, revoked and expired keys', async () => {
    const revoked = await server.key(tenant.organization_id);
    await server.app.get(ApiKeysService).revokeForAdministrator(revoked.id);
    const expired = await server.key(tenant.organization_id, { expires_in: -1 });
    const answers = await Promise.all(
      ['x', generateKey(), revoked.key, expired.key].map((key) => list({ key })),
    );
    const told = answers.map(({ body }) => ({ ...body, request_id: '' }));
    expect(told[0]?.status).toBe(401);
    for (const one of told) expect(one).toEqual(told[0]);
  });

  it('shares one lookup and one later write with many requests', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const statements = await statementsOf(async () => {
      for (let times = 0; times < 40; times++) await list({ key });
      await until(async () => (await lastUsed(id)) !== null);
    });
    const writes = statements.filter((text) => text.includes('SET last_used_at'));
    // One each, if the requests take less than a second.
    expect(statements.filter((text) => text.includes('key_hash')).length).toBeLessThan(10);
    expect(writes.length).toBeLessThan(10);
  });

  it('records the last use of the key in a batch', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const started = Date.now();
    await list({ key });
    const used = await until(async () => (await lastUsed(id)) ?? undefined);
    expect(used.getTime()).toBeGreaterThanOrEqual(started);
  });

  it('allows requests while the last use cannot be saved, and saves the next one', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn').mockReturnValue();
    await server.sql('ALTER TABLE api_keys ADD CONSTRAINT unused CHECK (last_used_at IS NULL) NOT VALID');
    try {
      expect((await list({ key })).status).toBe(200);
      const failed = 'could not save last_used_at of API keys';
      await until(async () => warn.mock.calls.some(([, message]) => message === failed));
      expect(await lastUsed(id)).toBeNull();
    } finally {
      warn.mockRestore();
      await server.sql('ALTER TABLE api_keys DROP CONSTRAINT unused');
    }
    expect((await list({ key })).status).toBe(200);
    await until(async () => (await lastUsed(id)) !== null);
  });

  it('never moves the last use backwards, even if the clock is behind', async () => {
    const { organization_id } = tenant;
    const { id } = await server.key(organization_id);
    const repository = server.app.get(CredentialsRepository);
    const at = new Date(Date.now() + 60_000);
    await repository.saveLastUsed([{ id, organization_id, at }]);
    await repository.saveLastUsed([{ id, organization_id, at: new Date() }]);
    expect(await lastUsed(id)).toEqual(at);
  });
});
