import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer, useTestServer } from '../support/server.js';

const LIMIT = 1_000;

const server = useTestServer();

/** A server that shares the database of the test. */
function useProxied(TRUST_PROXY: string): { leftOf: (forwarded?: string) => Promise<number> } {
  let proxied: TestServer;
  beforeAll(async () => {
    const AUTH_RATE_LIMIT = String(LIMIT);
    proxied = await TestServer.start({ ...server.databaseEnv, TRUST_PROXY, AUTH_RATE_LIMIT });
  });
  afterAll(() => proxied.stop());
  /** The remaining failed authentications of the address that a request counts for. */
  const leftOf = async (forwarded?: string) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const answer = await proxied.ask('/v1/me', { headers });
    expect(answer.status).toBe(401);
    const [, left] = /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
    return Number(left);
  };
  return { leftOf };
}

const REST_OF_HEAD = 15_000;

describe('TRUST_PROXY with addresses', () => {
  const { leftOf } = useProxied('loopback, 192.0.2.0/24,2001:db8:ffff::/48, 198.51.100.9');

  it.each([
    ['without the header, the address of the connection', undefined, '127.0.0.1'],
    ['the only entry', '203.0.113.7', '203.0.113.7'],
    ['the last entry that is not a trusted proxy', '203.0.113.8, 192.0.2.1, 2001:db8:ffff::1', '203.0.113.8'],
    [
      'not a preceding entry, which the client can forge',
      '203.0.113.1, 192.0.2.7, 203.0.113.9',
      '203.0.113.9',
    ],
    ['the first entry, if all are trusted', '192.0.2.55, 192.0.2.1', '192.0.2.55'],
    ['an entry with a port', '203.0.113.10:5678', '203.0.113.10'],
    ['an entry behind a proxy with a port', '203.0.113.11, 192.0.2.1:443', '203.0.113.11'],
    ['IPv6, by its network', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:0002::1'],
    ['IPv6 in brackets, with a port', '[2001:db8:1:3::1]:5678', '2001:db8:1:3::'],
    ['IPv6 in brackets', '[2001:db8:1:4::1]', '2001:db8:1:4::'],
    ['IPv4 in IPv6', '::ffff:203.0.113.12', '203.0.113.12'],
    ['one address among the networks', '203.0.113.13, 198.51.100.9', '203.0.113.13'],
    ['white space and tabs are ignored', ' \t203.0.113.14 ,\t192.0.2.1', '203.0.113.14'],
    ['the nearest proxy, if the preceding entry is empty', ', 192.0.2.56', '192.0.2.56'],
    ['the nearest proxy, if the entry is a name', 'unknown, 192.0.2.57', '192.0.2.57'],
    ['the nearest proxy, if the entry is not an address', '203.0.113.256, 192.0.2.58', '192.0.2.58'],
    ['the nearest proxy, if the brackets are wrong', '[203.0.113.1]:x, 192.0.2.59', '192.0.2.59'],
    ['the nearest proxy, if the entry is too long', `${'9'.repeat(REST_OF_HEAD)}, 192.0.2.60`, '192.0.2.60'],
    [
      'the client, after a forged list with thousands of entries',
      `${'1,'.repeat(REST_OF_HEAD / 2)}203.0.113.15`,
      '203.0.113.15',
    ],
  ])('counts %s', async (_name, forwarded, expected) => {
    const left = await leftOf(forwarded);
    expect(await leftOf(expected)).toBe(left - 1);
  });
});

describe('TRUST_PROXY with a number', () => {
  const { leftOf } = useProxied('2');

  it.each([
    ['as many entries from the end', '203.0.113.1, 203.0.113.20, 192.0.2.1', '203.0.113.20, 192.0.2.2'],
    ['the first entry, if there are fewer', '203.0.113.21', '203.0.113.21'],
    ['the address of the connection without the header', undefined, '127.0.0.1'],
    ['the nearest address, if an entry is malformed', 'x, 203.0.113.22', '203.0.113.22'],
  ])('counts %s', async (_name, forwarded, expected) => {
    const left = await leftOf(forwarded);
    expect(await leftOf(expected)).toBe(left - 1);
  });
});

describe('TRUST_PROXY=0', () => {
  const { leftOf } = useProxied('0');

  it('counts the address of the connection and ignores the header', async () => {
    const left = await leftOf('203.0.113.1');
    expect(await leftOf('203.0.113.2')).toBe(left - 1);
    expect(await leftOf()).toBe(left - 2);
  });
});
