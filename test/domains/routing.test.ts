import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RoutingProbe } from '../../src/domains/routing-probe.js';
import { RoutingToken } from '../../src/domains/routing-token.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { Dns } from '../../src/platform/network/dns.js';
import { NetworkGuard } from '../../src/platform/network/network-guard.js';
import { useChecks } from './use-checks.js';

const { server, dns, domains, tenant } = useChecks();

const servers: Server[] = [];
afterEach(() => {
  for (const one of servers.splice(0)) one.close();
});

let own: number;
beforeAll(() => {
  own = Number(new URL(server.url).port);
});

const CLOSED = 9;

/** Probes a domain that leads to a port of this machine. */
async function probe(domain: string, ports: { http: number; https: number }) {
  dns.set(domain, ['127.0.0.1']);
  const env = loadEnv({ EMBEDDED: 'true', DNS_SERVERS: dns.address, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
  const guard = new NetworkGuard(env, new Dns(env));
  return new RoutingProbe(guard, server.app.get(RoutingToken, { strict: false }), ports).probe(domain);
}

async function listen(started: Server): Promise<number> {
  servers.push(started);
  await once(started.listen(0, '127.0.0.1'), 'listening');
  const address: AddressInfo | string | null = started.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A proxy to the test server. */
const proxy = (hostOf: (host: string) => string) =>
  createServer((incoming, outgoing) => {
    const headers = { host: hostOf(incoming.headers.host ?? '') };
    request({ port: own, host: '127.0.0.1', path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0);
      response.pipe(outgoing);
    }).end();
  });

/** Requests the token of a host. */
const tokenOf = async (host: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { port: own, host: '127.0.0.1', path: '/.well-known/status-pages', headers: { host } },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end();
  });

describe('the probe of a domain', () => {
  it('finds that it leads to this instance, directly and through a proxy', async () => {
    const reached = { addresses: ['127.0.0.1'], reaches_us: true, error: null };
    expect(await probe('direct.example', { http: own, https: CLOSED })).toEqual(reached);
    const port = await listen(proxy((host) => host));
    expect(await probe('proxied.example', { http: port, https: CLOSED })).toEqual(reached);
  });

  it('reports that a proxy replaces the header Host', async () => {
    const port = await listen(proxy(() => 'internal.example'));
    const { reaches_us, error } = await probe('replaced.example', { http: port, https: CLOSED });
    expect([reaches_us, error]).toEqual([false, 'a proxy replaces the Host header']);
  });

  it.each([
    ['a page of HTML', (_host: string) => '<!doctype html>'],
    ['an invented token', (host: string) => `{"data":{"host":"${host}","token":"${'A'.repeat(27)}"}}`],
    ['an endless response', () => 'x'.repeat(1_000_000)],
  ])('finds another server behind %s', async (_kind, body) => {
    const other = createServer((incoming, outgoing) => outgoing.end(body(incoming.headers.host ?? '')));
    const { reaches_us, error } = await probe('other.example', { http: await listen(other), https: CLOSED });
    expect([reaches_us, error]).toEqual([false, 'another server responds']);
  });

  it('follows no redirect to another host', async () => {
    const redirect = createServer((_incoming, outgoing) => {
      outgoing.writeHead(302, { location: `${server.url}/.well-known/status-pages` }).end();
    });
    const { reaches_us } = await probe('redirected.example', { http: await listen(redirect), https: CLOSED });
    expect(reaches_us).toBe(false);
  });

  it('returns the reason for a name without addresses', async () => {
    const env = loadEnv({ EMBEDDED: 'true', DNS_SERVERS: dns.address });
    const guard = new NetworkGuard(env, new Dns(env));
    const found = await new RoutingProbe(guard, server.app.get(RoutingToken, { strict: false })).probe(
      'none.example',
    );
    expect(found).toEqual({ addresses: [], reaches_us: false, error: 'DNS: not found' });
  });
});

describe('GET /.well-known/status-pages', () => {
  it('returns the token of the host, whether or not a page uses it', async () => {
    const host = 'verified-token.example';
    const before = await tokenOf(host);
    expect(before.status).toBe(200);
    await domains.page(tenant, host);
    expect(await tokenOf(`${host.toUpperCase()}:8080`)).toEqual(before);
    expect((await tokenOf('other-token.example')).text).not.toBe(before.text);
  });

  it('returns no host for an address', async () => {
    for (const host of ['127.0.0.1', '[::1]:3000'])
      expect(await tokenOf(host)).toMatchObject({ status: 200, text: expect.stringContaining('"host":""') });
  });
});
