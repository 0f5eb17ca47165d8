import { connect } from 'node:http2';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Program, startProgram, stop } from '../support/process.js';
import { type Answer, FrontProxy, NAME, PROXIES } from '../support/proxies/front-proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { withinMinute } from '../public-page/cache/use-visits.js';

const PUBLIC_URL = `https://${NAME}`;
const AUTH_LIMIT = 5;
const LONG = 'x'.repeat(20_000);
const JSON_TYPE = { 'Content-Type': 'application/json' };

const server = useTestServer();
const tenant = useTenant(server);

/** Headers that a proxy may add or change. The body, and with it the length, is compared. */
const OF_THE_CONNECTION = new Set([
  'vary',
  'date',
  'server',
  'connection',
  'keep-alive',
  'alt-svc',
  'strict-transport-security',
]);

/** A response without the values that differ between responses. */
function comparable({ status, headers, bytes }: Answer): unknown {
  const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  const stable = own.map(([name, value]) => [name, name === 'x-request-id' ? 'an id' : value]);
  const text = bytes.toString().replace(/"request_id":"[0-9a-f-]{36}"/, '"request_id":"an id"');
  return { status, headers: Object.fromEntries(stable), text };
}

for (const kind of PROXIES)
  describe(`server behind ${kind.name}`, { tags: ['postgres', kind.name] }, () => {
    let program: Program & { url: string };
    let proxy: FrontProxy;
    let page: { id: string; slug: string };

    beforeAll(async () => {
      page = await server.page(tenant);
      const sections = [{ id: 'core', title: 'T'.repeat(2_000), monitor_ids: [] }];
      for (let count = 0; count < 30; count += 1) await server.page(tenant, { sections });
      const settings = {
        PUBLIC_URL,
        TRUST_PROXY: '1',
        AUTH_RATE_LIMIT: String(AUTH_LIMIT),
        LOG_LEVEL: 'info',
      };
      program = await startProgram({ ...server.databaseEnv, ...settings });
      proxy = await FrontProxy.start(kind, [Number(new URL(program.url).port)]);
      // Caddy's health checks have run.
      await until(async () => (await proxy.ask('/v1/me', { key: tenant.key })).status === 200);
    });
    afterAll(async () => {
      await proxy.stop();
      await stop(program);
    });

    const ask = (path: string, options: Parameters<FrontProxy['ask']>[1] = {}) =>
      proxy.ask(path, { key: tenant.key, ...options });

    /** The same request without the proxy. */
    async function direct(
      path: string,
      { method = 'GET', headers = {}, body }: Parameters<typeof ask>[1] = {},
    ): Promise<Answer> {
      const own = { Authorization: `Bearer ${tenant.key}`, 'Accept-Encoding': 'identity', ...headers };
      const response = await fetch(program.url + path, {
        method,
        headers: own,
        ...(body !== undefined && { body: String(body) }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        names: [],
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    }

    describe('returns unchanged', () => {
      const list = () => `/v1/status-pages?project_id=${tenant.project_id}`;
      it.each<[string, () => string, Parameters<typeof ask>[1]]>([
        ['a resource', () => `/v1/status-pages/${page.id}`, {}],
        ['a list of 70 kB', () => `${list()}&limit=30`, {}],
        ['a HEAD', () => `/v1/status-pages/${page.id}`, { method: 'HEAD' }],
        ['an OPTIONS', () => '/v1/status-pages', { method: 'OPTIONS' }],
        [
          'a preflight',
          () => '/v1/status-pages',
          {
            method: 'OPTIONS',
            headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
          },
        ],
        ['a 304', () => `/v1/status-pages/${page.id}`, { headers: { 'If-None-Match': '*' } }],
        ['a 400', () => `${list()}&limit=0`, {}],
        ['a 404', () => '/v1//status-pages', {}],
        ['a 404 of a visitor', () => '/status/none', {}],
        ['a 405', () => '/v1/status-pages', { method: 'DELETE' }],
        [
          'a 412',
          () => `/v1/status-pages/${page.id}`,
          { method: 'PATCH', headers: { ...JSON_TYPE, 'If-Match': '"x"' }, body: '{"name":"x"}' },
        ],
        [
          'a 413',
          () => `/v1/status-pages/${page.id}`,
          { method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify({ name: 'x'.repeat(300_000) }) },
        ],
        [
          'a 415',
          () => `/v1/status-pages/${page.id}`,
          { method: 'PATCH', headers: { 'Content-Type': 'text/plain' }, body: 'x' },
        ],
        ['a 431 for long headers', () => '/v1/me', { headers: { 'X-Long': LONG } }],
        ['a 431 for a long path', () => `/v1/${LONG}`, {}],
        ['the documentation', () => '/docs', {}],
        ['a status page', () => `/status/${page.slug}`, {}],
        ['a feed', () => `/status/${page.slug}/feed.rss`, {}],
      ])('%s', async (_name, path, options) => {
        const answer = await ask(path(), options);
        expect(comparable(answer)).toEqual(comparable(await direct(path(), options)));
        expect(answer.names).toEqual([...new Set(answer.names)]);
        expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
      });
    });

    it('accepts a file of 5 MB and returns 413 for a larger one', async () => {
      const file = (bytes: number) => `endpoints: [{ name: A }]\n${'# comment\n'.repeat(bytes / 10)}`;
      const send = (bytes: number) =>
        ask(`/v1/imports/gatus?project_id=${tenant.project_id}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/yaml' },
          body: file(bytes),
        });
      expect((await send(5_000_000)).status).toBe(201);
      const refused = await send(6_000_000);
      expect([refused.status, refused.headers['content-type']]).toEqual([
        413,
        'application/problem+json; charset=utf-8',
      ]);
    });

    it('compresses JSON with an ETag that works in If-None-Match and If-Match', async () => {
      const { id } = await server.page(tenant, {
        sections: [{ id: 'core', title: 'T'.repeat(2_000), monitor_ids: [] }],
      });
      const path = `/v1/status-pages/${id}`;
      const zipped = { 'Accept-Encoding': 'gzip' };
      const read = await ask(path, { headers: zipped });
      expect([read.status, read.headers['content-encoding'], read.headers['vary']]).toEqual([
        200,
        'gzip',
        'Accept-Encoding',
      ]);
      expect(JSON.parse(gunzipSync(read.bytes).toString()).data.id).toBe(id);
      const etag = String(read.headers.etag);
      const again = await ask(path, { headers: { ...zipped, 'If-None-Match': etag } });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      const change = {
        method: 'PATCH',
        headers: { ...zipped, ...JSON_TYPE, 'If-Match': etag },
        body: '{"name":"New"}',
      };
      const changed = await ask(path, change);
      expect([changed.status, changed.headers['content-encoding']]).toEqual([200, 'gzip']);
      expect((await ask(path, change)).status).toBe(412);
      const { etag: newer } = changed.headers;
      expect(
        (await ask(path, { ...change, headers: { ...change.headers, 'If-Match': String(newer) } })).status,
      ).toBe(200);
    });

    it('leaves the compression of public pages unchanged', () =>
      withinMinute(async () => {
        const zipped = await ask(`/status/${page.slug}`, { headers: { 'Accept-Encoding': 'gzip' } });
        const [plain, compressed] = [
          await direct(`/status/${page.slug}`),
          await direct(`/status/${page.slug}`, { headers: { 'Accept-Encoding': 'gzip' } }),
        ];
        expect(zipped.headers.etag).toBe(compressed.headers['etag']);
        expect(zipped.headers.etag).toMatch(/^"/);
        expect(gunzipSync(zipped.bytes).toString()).toBe(plain.bytes.toString());
      }));

    it("identifies each client's address and ignores a forged X-Forwarded-For", async () => {
      const from = (address: string) =>
        ask('/v1/me', {
          key: 'sp_wrong',
          from: address,
          headers: {
            'X-Forwarded-For': '203.0.113.9',
            Forwarded: 'for=203.0.113.9',
            'X-Real-IP': '203.0.113.9',
          },
        });
      for (let count = 0; count < AUTH_LIMIT; count += 1) expect((await from('127.0.0.7')).status).toBe(401);
      expect((await from('127.0.0.7')).status).toBe(429);
      expect((await from('127.0.0.8')).status).toBe(401);
      await until(async () => program.stdout.includes('"client_address":"127.0.0.8"'));
      expect(program.stdout).toContain('"client_address":"127.0.0.7"');
      expect(program.stdout).not.toContain('203.0.113.9');
    });

    it("logs the client's request ID and returns its own", async () => {
      const answer = await ask('/v1/me', { headers: { 'X-Request-Id': `of-${kind.name}` } });
      const id = String(answer.headers['x-request-id']);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      const line = await until(async () => program.stdout.split('\n').find((one) => one.includes(id)));
      expect(JSON.parse(line)).toMatchObject({ client_request_id: `of-${kind.name}`, status: 200 });
      if (kind.name === 'nginx') await until(async () => (await proxy.log()).includes(id));
    });

    it('serves visitors by HTTP/2 over TLS, with links to PUBLIC_URL', async () => {
      const session = connect(`https://127.0.0.1:${proxy.port}`, { ca: proxy.certificate, servername: NAME });
      const stream = session.request({ ':path': `/status/${page.slug}/feed.json`, ':authority': NAME });
      const headers = new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve));
      let text = '';
      stream.setEncoding('utf8').on('data', (data: string) => (text += data));
      await once(stream, 'end');
      expect([(await headers)[':status'], session.alpnProtocol]).toEqual([200, 'h2']);
      expect(JSON.parse(text)).toMatchObject({ home_page_url: `${PUBLIC_URL}/status/${page.slug}` });
      session.close();
    });

    it('redirects visitors without TLS and rejects keys', async () => {
      const redirected = await proxy.askWithoutTls(`/status/${page.slug}?month=2026-11`);
      expect([redirected.statusCode, redirected.headers.location]).toEqual([
        308,
        `${PUBLIC_URL}/status/${page.slug}?month=2026-11`,
      ]);
      expect((await proxy.askWithoutTls('/v1/me')).statusCode).toBe(403);
    });
  });
