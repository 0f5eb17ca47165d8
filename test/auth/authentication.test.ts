import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { CredentialsRepository } from '../../src/platform/auth/credentials.repository.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { type Ask, until, useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import {
  expectProblem,
  expectInvalidKey as expectInvalid,
  expectMissingKey as expectMissing,
} from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const NOWHERE = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const authorized = (authorization: string): Ask => ({ headers: { Authorization: authorization } });

const list = (ask: Ask) => server.ask(`/v1/status-pages?project_id=${tenant.project_id}`, ask);

async function lastUsed(id: string): Promise<Date | null> {
  const rows = await server.sql<{ last_used_at: Date | null }[]>(
    'SELECT last_used_at FROM api_keys WHERE id = $1',
    [id],
  );
  return rows[0]?.last_used_at ?? null;
}

describe('a request without a key', () => {
  it('is 401 missing_api_key', async () => {
    expectMissing(await list({}));
    expectMissing(await server.ask(`/v1/status-pages/${NOWHERE}`, { method: 'PATCH', json: {} }));
  });

  it('is told that the scheme Bearer is missing, if it has another or none, and never gets its key back', async () => {
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

  it('is not helped by a key in the query, which is no credential', async () => {
    expectMissing(
      await server.ask(`/v1/status-pages?project_id=${tenant.project_id}&access_token=${tenant.key}`),
    );
  });

  it('is not helped by a key in the body, which is no credential', async () => {
    const json = { access_token: tenant.key };
    expectMissing(await server.ask(`/v1/status-pages/${NOWHERE}`, { method: 'PATCH', json }));
    const form = { method: 'PATCH', body: `access_token=${tenant.key}` };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expectMissing(await server.ask(`/v1/status-pages/${NOWHERE}`, { ...form, headers }));
  });

  it('is not helped by other headers or schemes', async () => {
    expectMissing(await list({ headers: { 'X-Api-Key': tenant.key } }));
    expectMissing(await list({ headers: { Cookie: `access_token=${tenant.key}` } }));
    expectMissing(await list(authorized(`Basic ${Buffer.from(`${tenant.key}:`).toString('base64')}`)));
    expectMissing(await list(authorized(tenant.key)));
  });
});

describe('a request with a key', () => {
  it('is let through', async () => {
    expect((await list({ key: tenant.key })).status).toBe(200);
  });

  it('may write the scheme in any case', async () => {
    expect((await list(authorized(`bearer ${tenant.key}`))).status).toBe(200);
    expect((await list(authorized(`BEARER ${tenant.key}`))).status).toBe(200);
  });

  it.each(['Bearer', 'Bearer x', 'Bearer  x', 'Bearer a b', 'Bearer ,', 'Bearer sp_', 'Bearer null'])(
    'that is malformed is 401 invalid_api_key: %j',
    async (authorization) => {
      expectInvalid(await list(authorized(authorization)));
    },
  );

  it('that is unknown, mistyped, longer or shorter is 401 invalid_api_key', async () => {
    expectInvalid(await list({ key: generateKey() }));
    expectInvalid(await list({ key: `${tenant.key}0` }));
    expectInvalid(await list({ key: tenant.key.slice(0, -1) }));
    expectInvalid(await list({ key: tenant.key.toLowerCase() }));
    const other = tenant.key[20] === 'a' ? 'b' : 'a';
    expectInvalid(await list({ key: tenant.key.slice(0, 20) + other + tenant.key.slice(21) }));
  });

  it('is 401 with more than the scheme and the key in the header, though the server remembers the key', async () => {
    expect((await list({ key: tenant.key })).status).toBe(200);
    for (const more of [' x', ',', `, Bearer ${tenant.key}`])
      expectInvalid(await list(authorized(`Bearer ${tenant.key}${more}`)));
    for (const before of ['x ', 'Basic ', 'x'])
      expectMissing(await list(authorized(`${before}Bearer ${tenant.key}`)));
  });

  it('also in the query is refused for the unknown parameter', async () => {
    const path = `/v1/status-pages?project_id=${tenant.project_id}&access_token=${tenant.key}`;
    expectProblem(await server.ask(path, { key: tenant.key }), 400, 'validation_failed', {
      code: 'unknown_parameter',
      parameter: 'access_token',
    });
  });

  it('that is revoked is 401 invalid_api_key from the next request on', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    expect((await list({ key })).status).toBe(200);
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    expectInvalid(await list({ key }));
  });

  it('that is revoked while others use it is 401 invalid_api_key from the next request on', async () => {
    for (let round = 0; round < 40; round++) {
      const { key, id } = await server.key(tenant.organization_id);
      const using = Promise.all(Array.from({ length: 5 }, () => list({ key })));
      await server.app.get(ApiKeysService).revokeForAdministrator(id);
      expect((await list({ key })).status).toBe(401);
      await using;
      expect((await list({ key })).status).toBe(401);
    }
  });

  it('that is revoked while it is being looked up is not remembered', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const repository = server.app.get(CredentialsRepository);
    const findActive = repository.findActive.bind(repository);
    let found: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const isFound = new Promise<void>((resolve) => (found = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    // What the database says reaches the service late, as over a slow network.
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

  it('that was revoked by another process is 401 invalid_api_key within 2 seconds', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    expect((await list({ key })).status).toBe(200);
    await server.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    const revoked = Date.now();
    await until(async () => {
      const sent = Date.now(); // a slow answer is no late one
      const { status } = await list({ key });
      if (status === 200) expect(sent - revoked).toBeLessThan(2_000);
      return status === 401;
    });
  });

  it('that has expired is 401 invalid_api_key', async () => {
    const { key, id } = await server.key(tenant.organization_id, { expires_in: 3600 });
    expect((await list({ key })).status).toBe(200);
    await server.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    await until(async () => (await list({ key })).status === 401);
    expectInvalid(await list({ key }));
  });

  it('is told the same whether it is malformed, unknown, revoked or expired', async () => {
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

  it('is looked up once for many requests, and never written as used by one itself: they make one statement later', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const statements = await statementsOf(async () => {
      for (let times = 0; times < 40; times++) await list({ key });
      await until(async () => (await lastUsed(id)) !== null);
    });
    const writes = statements.filter((text) => text.includes('SET last_used_at'));
    // One each, where the requests take less than a second.
    expect(statements.filter((text) => text.includes('key_hash')).length).toBeLessThan(10);
    expect(writes.length).toBeLessThan(10);
  });

  it('is noted as used, in a batch soon after', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const started = Date.now();
    await list({ key });
    const used = await until(async () => (await lastUsed(id)) ?? undefined);
    expect(used.getTime()).toBeGreaterThanOrEqual(started);
  });

  it('is not noted as used earlier than it was, as by a server whose clock is behind', async () => {
    const { organization_id } = tenant;
    const { id } = await server.key(organization_id);
    const repository = server.app.get(CredentialsRepository);
    const at = new Date(Date.now() + 60_000);
    await repository.saveLastUsed([{ id, organization_id, at }]);
    await repository.saveLastUsed([{ id, organization_id, at: new Date() }]);
    expect(await lastUsed(id)).toEqual(at);
  });
});
