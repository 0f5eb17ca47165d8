import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { generateKey } from '../../src/auth/key-format.js';
import { clientNetworkOf } from '../../src/server/rate-limit.js';
import { type Answer, TestServer, useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';

const LIMIT = 3;

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const server = useTestServer({ RATE_LIMIT: String(LIMIT) });
const tenant = useTenant(server);
// A minute on, for all the tests that share the address they ask from.
beforeEach(() => void vi.setSystemTime(Date.now() + 60_000));

/** What an answer tells of the limit: its status, limit, remaining, reset and Retry-After. */
function told({ status, headers }: Pick<Answer, 'status' | 'headers'>): unknown[] {
  const limit = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return [status, ...limit.map((name) => headers.get(name))];
}

async function inTurn(times: number, ask: () => Promise<Answer<unknown>>): Promise<unknown[][]> {
  const answers: unknown[][] = [];
  for (let time = 0; time < times; time++) answers.push(told(await ask()));
  return answers;
}

const newTenantKey = async () => (await server.key(tenant.organization_id)).key;
const list = (key: string) => server.list(tenant, {}, key);
const explain = () => server.ask('/problems/not_found');
const overstep = () => inTurn(LIMIT + 1, explain);

describe('an API key', () => {
  it('has RATE_LIMIT requests a minute, each told what is left; the next is 429 rate_limited', async () => {
    const key = await newTenantKey();
    expect(await inTurn(LIMIT + 2, () => list(key))).toEqual([
      [200, '3', '2', '60', null],
      [200, '3', '1', '60', null],
      [200, '3', '0', '60', null],
      [429, '3', '0', '60', '60'],
      [429, '3', '0', '60', '60'],
    ]);
    const { body, headers } = await list(key);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      code: 'rate_limited',
      detail: 'The limit for each API key is 3 requests per minute; retry in 60 seconds',
    });
  });

  it('has them anew a minute after the first of them, however often it asked meanwhile', async () => {
    const key = await newTenantKey();
    await inTurn(LIMIT, () => list(key));
    const started = Date.now();
    vi.setSystemTime(started + 30_001);
    expect(told(await list(key))).toEqual([429, '3', '0', '30', '30']);
    vi.setSystemTime(started + 59_999);
    expect(told(await list(key))).toEqual([429, '3', '0', '1', '1']);
    vi.setSystemTime(started + 60_000);
    expect(told(await list(key))).toEqual([200, '3', '2', '60', null]);
  });

  it('is never told to wait for more than a minute, even if the clock is set back by a day', async () => {
    const key = await newTenantKey();
    await inTurn(LIMIT, () => list(key));
    vi.setSystemTime(Date.now() - 86_400_000);
    expect(told(await list(key))).toEqual([429, '3', '0', '60', '60']);
    vi.setSystemTime(Date.now() + 86_400_000);
  });

  it('has them for all operations together, and for those that fail as well', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:read'] });
    const patch = () => server.patch({ key }, tenant.project_id, {});
    expect(told(await server.list(tenant, { limit: 0 }, key))).toEqual([400, '3', '2', '60', null]);
    expect(told(await patch())).toEqual([403, '3', '1', '60', null]);
    expect(told(await server.ask('/v1/status-pages', { key, method: 'HEAD' }))).toEqual([
      400,
      '3',
      '0',
      '60',
      null,
    ]);
    expect((await patch()).body.code).toBe('rate_limited');
  });

  it('has them for itself once it has been used, whatever other keys and its address ask', async () => {
    const [one, other] = [await newTenantKey(), await newTenantKey()];
    await list(other);
    await inTurn(LIMIT + 1, () => list(one));
    await inTurn(LIMIT + 1, () => list(generateKey()));
    expect(told(await list(other))).toEqual([200, '3', '1', '60', null]);
    const headers = { Authorization: `bearer ${other}` };
    expect(told(await server.ask('/v1/me', { headers }))).toEqual([200, '3', '0', '60', null]);
  });

  it('has them still when it must be looked up again, as after the revocation of another', async () => {
    const [other, { id }] = [await newTenantKey(), await server.key(tenant.organization_id)];
    await list(other);
    await overstep();
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    expect(told(await list(other))).toEqual([200, '3', '1', '60', null]);
  });

  it('loses none of them to a fault of ours, nor does its address', async () => {
    const key = await newTenantKey();
    await server.sql('ALTER TABLE api_keys RENAME TO away');
    try {
      expect(told(await list(key))).toEqual([500, null, null, null, null]);
    } finally {
      await server.sql('ALTER TABLE away RENAME TO api_keys');
    }
    expect(told(await list(key))).toEqual([200, '3', '2', '60', null]);
    expect(told(await explain())).toEqual([200, '3', '2', '60', null]);
  });
});

describe('an address', () => {
  it('has RATE_LIMIT requests a minute without a valid key: 401 comes before that, 429 after', async () => {
    const missing = () => server.ask('/v1/status-pages');
    const invalid = () => list(generateKey());
    expect(told(await missing())).toEqual([401, '3', '2', '60', null]);
    expect(told(await invalid())).toEqual([401, '3', '1', '60', null]);
    expect(told(await missing())).toEqual([401, '3', '0', '60', null]);
    expect(told(await missing())).toEqual([429, '3', '0', '60', '60']);
    const { status, body, headers } = await invalid();
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([429, 'rate_limited', null]);
    expect(body.detail).toBe(
      'The limit for each address without a valid API key is 3 requests per minute; retry in 60 seconds',
    );
  });

  it('that has used them up is 429 before its key is looked up, unless the key was valid before', async () => {
    const [fresh, { key: revoked, id }] = [await newTenantKey(), await server.key(tenant.organization_id)];
    await list(revoked);
    await overstep();
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    const lookUps = async (key: string) => {
      let status = 0;
      const statements = await statementsOf(async () => ({ status } = await list(key)));
      return [status, statements.filter((text) => text.includes('key_hash')).length];
    };
    expect(await lookUps(generateKey())).toEqual([429, 0]);
    expect(await lookUps(fresh)).toEqual([429, 0]);
    expect(await lookUps(revoked)).toEqual([429, 1]);
    expect(await lookUps(revoked)).toEqual([429, 0]);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await lookUps(fresh)).toEqual([200, 1]);
  });

  it('has them for operations that need no key, too, with or without one', async () => {
    expect(await inTurn(LIMIT, explain)).toEqual([
      [200, '3', '2', '60', null],
      [200, '3', '1', '60', null],
      [200, '3', '0', '60', null],
    ]);
    const key = await newTenantKey();
    expect((await explain()).status).toBe(429);
    expect((await server.ask('/problems/not_found', { key })).status).toBe(429);
  });

  it('is that of the connection, whatever a header says', async () => {
    await overstep();
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP']) {
      const headers = { [name]: name === 'Forwarded' ? 'for=192.0.2.7' : '192.0.2.7' };
      expect((await server.ask('/problems/not_found', { headers })).status).toBe(429);
    }
  });

  it.runIf(process.platform === 'linux')('has them for itself', async () => {
    await overstep();
    const request = get(`${server.url}/problems/not_found`, { localAddress: '127.0.0.2' });
    const [answer] = await once(request, 'response');
    answer.resume();
    expect([answer.statusCode, answer.headers['ratelimit-remaining']]).toEqual([200, '2']);
    expect((await explain()).status).toBe(429);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1::6', '2001:db8:1:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1:2%eth0', 'fe80:0:0:0::/64'],
  ])('of IPv6 counts with its network, whose addresses one host has all: %s is %s', (address, network) => {
    expect(clientNetworkOf(address)).toBe(network);
  });
});

describe('what is no operation of the API', () => {
  it('is not limited: health checks, which are told the limit all the same', async () => {
    await overstep();
    for (const path of ['/health/live', '/health/ready']) {
      expect(await inTurn(2, () => server.ask(path))).toEqual(
        Array.from({ length: 2 }, () => [200, '3', '0', '60', null]),
      );
    }
  });

  it('counts for nothing: health checks leave what there is', async () => {
    await inTurn(LIMIT + 1, () => server.ask('/health/live'));
    expect(told(await server.ask('/health/live?x=1'))).toEqual([400, '3', '3', '60', null]);
    expect(told(await explain())).toEqual([200, '3', '2', '60', null]);
  });

  it.each([
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nothing', 404],
    ['DELETE', '/v1/status-pages', 405],
    ['OPTIONS', '/v1/status-pages', 204],
  ])('is neither limited nor counted: %s %s', async (method, path, status) => {
    const ask = () => server.ask(path, { method });
    expect(told(await ask())).toEqual([status, null, null, null, null]);
    expect((await overstep()).map(([answered]) => answered)).toEqual([200, 200, 200, 429]);
    expect(told(await ask())).toEqual([status, null, null, null, null]);
  });
});

describe('without RATE_LIMIT', () => {
  it('nothing is limited, and nothing is said of a limit', async () => {
    const unlimited = await TestServer.start();
    try {
      const asks = Array.from({ length: 50 }, () => unlimited.ask('/v1/status-pages'));
      for (const answer of await Promise.all(asks))
        expect(told(answer)).toEqual([401, null, null, null, null]);
    } finally {
      await unlimited.stop();
    }
  });
});
