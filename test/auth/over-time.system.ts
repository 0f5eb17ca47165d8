import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { hashToken } from '../../src/platform/auth/token-format.js';
import { CredentialsRepository } from '../../src/platform/auth/credentials.repository.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { type Ask, until, useTenant, useTestServer } from '../support/server.js';
import { expectInvalidKey as expectInvalid } from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const list = (ask: Ask) => server.ask(`/v1/status-pages?project_id=${tenant.project_id}`, ask);

async function lastUsed(id: string): Promise<Date | null> {
  const rows = await server.sql<{ last_used_at: Date | null }[]>(
    'SELECT last_used_at FROM api_keys WHERE id = $1',
    [id],
  );
  return rows[0]?.last_used_at ?? null;
}

describe('request with a cached key', () => {
  it('fails with 401 as soon as the key expires', async () => {
    const { key } = await server.key(tenant.organization_id, { expires_in: 3 });
    const expires = Date.now() + 3_000; // or a few milliseconds before
    let used = 0;
    await until(async () => {
      const sent = Date.now();
      const { status } = await list({ key });
      if (status === 200) expect(sent).toBeLessThan(expires);
      if (status === 200) used += 1;
      return status === 401;
    });
    expect(used).toBeGreaterThan(0);
    expectInvalid(await list({ key }));
  });

  it('updates the last use of the key', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    await list({ key });
    await until(async () => (await lastUsed(id)) !== null);
    const again = Date.now();
    await list({ key });
    const used = await until(async () => Number(await lastUsed(id)) >= again);
    expect(used).toBe(true);
  });
});

describe("failure to record a key's use", () => {
  it('fails no request, and the next use is recorded', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const repository = server.app.get(CredentialsRepository);
    const saveLastUsed = repository.saveLastUsed.bind(repository);
    let isTried: () => void = () => undefined;
    const tried = new Promise<void>((resolve) => (isTried = resolve));
    // The database is unavailable for a moment.
    repository.saveLastUsed = async () => {
      isTried();
      throw new Error('connection refused');
    };
    expect((await list({ key })).status).toBe(200);
    await tried;
    repository.saveLastUsed = saveLastUsed;
    expect((await list({ key })).status).toBe(200);
    expect(await until(async () => (await lastUsed(id)) ?? undefined)).toBeInstanceOf(Date);
  });
});

describe('unknown keys', () => {
  it('use a fifth of the pool, then get 503 after two seconds', async () => {
    expect((await list({ key: tenant.key })).status).toBe(200);
    const known = hashToken(tenant.key);
    const other = await server.key(tenant.organization_id);
    const repository = server.app.get(CredentialsRepository);
    const findActive = repository.findActive.bind(repository);
    let started = 0;
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    // The database responds late for unknown keys, as if it were busy.
    repository.findActive = async (hash) => {
      if (!hash.equals(known)) {
        started += 1;
        await mayGoOn;
      }
      return findActive(hash);
    };
    try {
      const answers = Array.from({ length: 10 }, () => list({ key: generateKey() }));
      const refused = await Promise.race(answers);
      expect([refused.status, refused.headers.get('retry-after'), started]).toEqual([503, '1', 2]);
      await server.app.get(ApiKeysService).revokeForAdministrator(other.id); // so the known key is looked up again
      expect((await list({ key: tenant.key })).status).toBe(200);
      goOn();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([401, 503]));
    } finally {
      goOn();
      repository.findActive = findActive;
    }
    expectInvalid(await list({ key: generateKey() }));
  });
});
