import { describe, expect, it } from 'vitest';
import { Program, startProgram, stop } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('access log', () => {
  /** Addresses in the log after two API requests and two visits of a page, the second one from memory. */
  async function logged(env: Record<string, string>): Promise<{ addresses: string[]; program: Program }> {
    const program = await startProgram({ ...server.databaseEnv, LOG_LEVEL: 'info', ...env });
    const { slug } = await server.page(tenant);
    const headers = { 'X-Forwarded-For': '203.0.113.1, 203.0.113.7', 'X-Forwarded-Host': 'evil.example' };
    for (const path of ['/health/live', '/v1/me', `/status/${slug}`, `/status/${slug}`])
      expect(await (await fetch(program.url + path, { headers })).text()).not.toContain('evil.example');
    const addresses = await until(async () => {
      const found = [...program.stdout.matchAll(/"client_address":"([^"]*)"/g)].map(
        ([, address = '']) => address,
      );
      return found.length === 4 && found;
    });
    await stop(program);
    return { addresses, program };
  }

  it('contains the client address behind the proxies in TRUST_PROXY', async () => {
    const { addresses, program } = await logged({ TRUST_PROXY: 'loopback' });
    expect(addresses).toEqual(Array.from({ length: 4 }, () => '203.0.113.7'));
    expect(program.stdout).not.toContain('TRUST_PROXY');
  });

  it('contains the connection address without TRUST_PROXY, with one warning about a proxy', async () => {
    const { addresses, program } = await logged({});
    expect(addresses).toEqual(Array.from({ length: 4 }, () => '127.0.0.1'));
    expect(program.stdout.match(/"level":40.*X-Forwarded-For, but TRUST_PROXY is not set/g)).toHaveLength(1);
  });
});
