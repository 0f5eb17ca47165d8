import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { clientNetworkOf } from '../../src/platform/server/client-address.js';
import { type Answer, TestServer, useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';

const LIMIT = 3;

const server = useTestServer({ RATE_LIMIT: String(LIMIT), AUTH_RATE_LIMIT: String(LIMIT) });
const tenant = useTenant(server);
// After the start, which reads the OpenAPI document: its times would not be recognized by a faked `Date`.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterAll(() => void vi.useRealTimers());
// Every test starts a minute later, because all tests share one client address.
beforeEach(() => void vi.advanceTimersByTime(60_000));

/** The status, the RateLimit header and Retry-After of a response. */
function told({ status, headers }: Pick<Answer, 'status' | 'headers'>): unknown[] {
  return [status, headers.get('ratelimit'), headers.get('retry-after')];
}

/** The result of `told` for the limit of keys or of failed authentications. */
const ofKey = (status: number, left: number, seconds = 60, retry: string | null = null) => [
  status,
  `"default";r=${left};t=${seconds}`,
  retry,
];
const ofAddress = (status: number, left: number, retry: string | null = null) => [
  status,
  `"authentication";r=${left};t=60`,
  retry,
];

async function inTurn(times: number, ask: () => Promise<Answer<unknown>>): Promise<unknown[][]> {
  const answers: unknown[][] = [];
  for (let time = 0; time < times; time++) answers.push(told(await ask()));
  return answers;
}

const newTenantKey = async () => (await server.key(tenant.organization_id)).key;
const list = (key: string) => server.list(tenant, {}, key);
const missing = () => server.ask('/v1/status-pages');
const invalid = () => list(generateKey());
const exhaustAddress = () => inTurn(LIMIT, missing);

describe('rate limit of an API key', () => {
  it('counts each message to the MCP server', async () => {
    const key = await newTenantKey();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const post = () => server.ask('/mcp', { method: 'POST', key, headers, body, undocumented: true });
    expect(await inTurn(LIMIT + 1, post)).toEqual([
      ofKey(200, 2),
      ofKey(200, 1),
      ofKey(200, 0),
      ofKey(429, 0, 60, '60'),
    ]);
  });

  it('allows RATE_LIMIT requests per minute, then returns 429 rate_limited', async () => {
    const key = await newTenantKey();
    expect(await inTurn(LIMIT + 2, () => list(key))).toEqual([
      ofKey(200, 2),
      ofKey(200, 1),
      ofKey(200, 0),
      ofKey(429, 0, 60, '60'),
      ofKey(429, 0, 60, '60'),
    ]);
    const { body, headers } = await list(key);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      code: 'rate_limited',
      detail: 'This API key has exceeded its limit of 3 requests per minute. Retry in 60 seconds.',
    });
  });

  it('resets the quota one minute after the first request', async () => {
    const key = await newTenantKey();
    await inTurn(LIMIT, () => list(key));
    vi.advanceTimersByTime(30_001);
    expect(told(await list(key))).toEqual(ofKey(429, 0, 30, '30'));
    vi.advanceTimersByTime(29_998);
    expect(told(await list(key))).toEqual(ofKey(429, 0, 1, '1'));
    vi.advanceTimersByTime(1);
    expect(told(await list(key))).toEqual(ofKey(200, 2));
  });

  it('sends at most 60 seconds in Retry-After if the clock jumps', async () => {
    const key = await newTenantKey();
    await inTurn(LIMIT, () => list(key));
    vi.setSystemTime(Date.now() - 86_400_000);
    expect(told(await list(key))).toEqual(ofKey(429, 0, 60, '60'));
    vi.setSystemTime(Date.now() + 86_400_000);
  });

  it('counts all operations, including failed requests', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:read'] });
    const patch = () => server.patch({ key }, tenant.project_id, {});
    expect(told(await server.list(tenant, { limit: 0 }, key))).toEqual(ofKey(400, 2));
    expect(told(await patch())).toEqual(ofKey(403, 1));
    expect(told(await server.ask('/v1/status-pages', { key, method: 'HEAD' }))).toEqual(ofKey(400, 0));
    expect((await patch()).body.code).toBe('rate_limited');
  });

  it('excludes requests with other keys and failed authentications', async () => {
    const [one, other] = [await newTenantKey(), await newTenantKey()];
    await list(other);
    await inTurn(LIMIT + 1, () => list(one));
    await inTurn(LIMIT + 1, invalid);
    expect(told(await list(other))).toEqual(ofKey(200, 1));
    const headers = { Authorization: `bearer ${other}` };
    expect(told(await server.ask('/v1/me', { headers }))).toEqual(ofKey(200, 0));
  });

  it("serves a recently used key from an exhausted address after another key's revocation", async () => {
    const [other, { id }] = [await newTenantKey(), await server.key(tenant.organization_id)];
    await list(other);
    await exhaustAddress();
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    expect(told(await list(other))).toEqual(ofKey(200, 1));
  });

  it('excludes requests that fail with 500', async () => {
    const key = await newTenantKey();
    await server.sql('ALTER TABLE api_keys RENAME TO away');
    try {
      expect(told(await list(key))).toEqual([500, null, null]);
    } finally {
      await server.sql('ALTER TABLE away RENAME TO api_keys');
    }
    expect(told(await list(key))).toEqual(ofKey(200, 2));
    expect(told(await missing())).toEqual(ofAddress(401, 2));
  });

  it('allows all keys of an organization together ten times the limit of one key', async () => {
    const own = await server.tenant();
    const other = await server.key(tenant.organization_id);
    const keys = [own.key];
    while (keys.length < 11) keys.push((await server.key(own.organization_id)).key);
    for (const key of keys.slice(0, 10))
      expect((await inTurn(LIMIT, () => list(key))).map(([status]) => status)).toEqual([404, 404, 404]);
    const { status, headers, body } = await list(keys[10] ?? '');
    expect([status, headers.get('ratelimit-policy'), ...told({ status, headers })]).toEqual([
      429,
      '"organization";q=30;w=60',
      429,
      '"organization";r=0;t=60',
      '60',
    ]);
    expect(body.detail).toBe(
      'The API keys of this organization have exceeded their shared limit of 30 requests per minute. Retry in 60 seconds.',
    );
    expect((await list(other.key)).status).toBe(200);
  });

  it('sends the RateLimit headers of the limit that is reached first', async () => {
    const { organization_id } = await server.tenant();
    const keys: string[] = [];
    while (keys.length < 11) keys.push((await server.key(organization_id)).key);
    for (const key of keys.slice(0, 9)) await inTurn(LIMIT, () => list(key));
    expect(told(await list(keys[9] ?? ''))).toEqual(ofKey(404, 2));
    const { status, headers } = await list(keys[10] ?? '');
    expect(headers.get('ratelimit-policy')).toBe('"organization";q=30;w=60');
    expect(told({ status, headers })).toEqual([404, '"organization";r=1;t=60', null]);
  });

  it("excludes requests that exceed it from the organization's count", async () => {
    const { organization_id, key: greedy } = await server.tenant();
    await inTurn(12 * LIMIT, () => list(greedy));
    for (let others = 0; others < 9; others++) {
      const { key } = await server.key(organization_id);
      expect((await inTurn(LIMIT, () => list(key))).map(([status]) => status)).toEqual([404, 404, 404]);
    }
  });
});

describe('rate limit of an address', () => {
  it('allows AUTH_RATE_LIMIT failed authentications per minute, then returns 429', async () => {
    expect(told(await missing())).toEqual(ofAddress(401, 2));
    expect(told(await invalid())).toEqual(ofAddress(401, 1));
    const last = await missing();
    expect([...told(last), last.headers.get('ratelimit-policy')]).toEqual([
      ...ofAddress(401, 0),
      '"authentication";q=3;w=60',
    ]);
    expect(told(await missing())).toEqual(ofAddress(429, 0, '60'));
    const { status, body, headers } = await invalid();
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([429, 'rate_limited', null]);
    expect(body.detail).toBe(
      'This address has exceeded its limit of 3 failed authentications per minute. Retry in 60 seconds.',
    );
  });

  it('excludes valid keys', async () => {
    for (let index = 0; index < 3 * LIMIT; index++) {
      const { key } = await server.tenant();
      expect((await list(key)).status).toBe(404);
      expect((await list(key)).status).toBe(404);
    }
    expect(told(await missing())).toEqual(ofAddress(401, 2));
  });

  it('also holds for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, invalid));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - LIMIT);
  });

  it('rejects an exhausted address before key lookup, except for cached keys', async () => {
    const [fresh, { key: revoked, id }] = [await newTenantKey(), await server.key(tenant.organization_id)];
    await list(revoked);
    await exhaustAddress();
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
    vi.advanceTimersByTime(60_000);
    expect(await lookUps(fresh)).toEqual([200, 1]);
  });

  it('uses the address of the connection and ignores headers', async () => {
    await exhaustAddress();
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP']) {
      const headers = { [name]: name === 'Forwarded' ? 'for=192.0.2.7' : '192.0.2.7' };
      expect((await server.ask('/v1/me', { headers })).status).toBe(429);
    }
  });

  it('ignores other addresses', { tags: ['linux'] }, async () => {
    await exhaustAddress();
    const request = get(`${server.url}/v1/me`, { localAddress: '127.0.0.2' });
    const [answer] = await once(request, 'response');
    answer.resume();
    expect([answer.statusCode, answer.headers['ratelimit']]).toEqual([401, '"authentication";r=2;t=60']);
    expect((await missing()).status).toBe(429);
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
    ['2001:0DB8:0:0002::1', '2001:db8:0:2::/64'],
  ])('counts an address by its network: %s is %s', (address, network) => {
    expect(clientNetworkOf(address)).toBe(network);
  });
});

describe('rate limit of requests without an API key', () => {
  it.each([
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/health/live?x=1', 400],
    ['GET', '/problems/not_found', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nothing', 404],
    ['DELETE', '/v1/status-pages', 405],
    ['OPTIONS', '/v1/status-pages', 204],
  ])('excludes %s %s', async (method, path, status) => {
    const ask = () => server.ask(path, { method });
    expect(await inTurn(LIMIT + 1, ask)).toEqual(
      Array.from({ length: LIMIT + 1 }, () => [status, null, null]),
    );
    expect((await inTurn(LIMIT + 1, missing)).map(([answered]) => answered)).toEqual([401, 401, 401, 429]);
    expect(told(await ask())).toEqual([status, null, null]);
  });
});

describe('rate limit of visits', () => {
  it('allows any number of visits', async () => {
    const { slug } = await server.page(tenant);
    const visit = async (path: string) => told(await fetch(`${server.url}/status/${path}`));
    await exhaustAddress();
    for (const [path, status] of [
      [slug, 200],
      [`${slug}/history`, 200],
      [`${slug}/feed.rss`, 200],
      ['unknown', 404],
    ])
      for (let time = 0; time <= LIMIT; time++)
        expect([path, ...(await visit(String(path)))]).toEqual([path, status, null, null]);
  });
});

describe('default limits', () => {
  it('allow 600 requests and 60 failed authentications per minute', async () => {
    const byDefault = await TestServer.start({ RATE_LIMIT: '', AUTH_RATE_LIMIT: '' });
    try {
      const { key } = await byDefault.tenant();
      const me = await byDefault.ask('/v1/me', { key });
      expect([me.headers.get('ratelimit-policy'), ...told(me)]).toEqual([
        '"default";q=600;w=60',
        ...ofKey(200, 599),
      ]);
      const failed = await byDefault.ask('/v1/me');
      expect([failed.headers.get('ratelimit-policy'), ...told(failed)]).toEqual([
        '"authentication";q=60;w=60',
        ...ofAddress(401, 59),
      ]);
    } finally {
      await byDefault.stop();
    }
  });
});

describe('RATE_LIMIT=0 and AUTH_RATE_LIMIT=0', () => {
  it('disable the limits and their headers', async () => {
    const unlimited = await TestServer.start({ RATE_LIMIT: '0', AUTH_RATE_LIMIT: '0' });
    try {
      const { key } = await unlimited.tenant();
      const asks = Array.from({ length: 100 }, (_, index) =>
        unlimited.ask('/v1/me', index % 2 === 0 ? { key } : {}),
      );
      for (const [index, answer] of (await Promise.all(asks)).entries())
        expect(told(answer)).toEqual([index % 2 === 0 ? 200 : 401, null, null]);
    } finally {
      await unlimited.stop();
    }
  });
});
