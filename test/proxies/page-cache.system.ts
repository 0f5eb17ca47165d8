import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { type Program, startProgram, stop } from '../support/process.js';
import { FrontProxy, NGINX } from '../support/proxies/front-proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const HOME_PAGE = 'home-behind-nginx';

describe('nginx cache', { tags: ['postgres', 'nginx'] }, () => {
  let port: number;
  let program: Program;
  let proxy: FrontProxy;

  beforeAll(async () => {
    port = await freePort();
    program = await start();
    proxy = await FrontProxy.start(NGINX, [port]);
  });
  afterAll(async () => {
    await proxy.stop();
    await stop(program);
  });

  const start = () =>
    startProgram({ ...server.databaseEnv, PORT: String(port), LOG_LEVEL: 'info', HOME_PAGE });

  /** Counts the responses of the service itself to requests for a path. */
  async function visitsOf(path: string): Promise<number> {
    const marker = `/health/live-${Math.random()}`;
    await fetch(`http://127.0.0.1:${port}${marker}`); // its line follows the lines of earlier requests
    await until(async () => program.stdout.includes(marker.slice(0, 14)));
    return program.stdout.split('\n').filter((line) => line.includes(`"path":"${path}"`)).length;
  }

  it('leaves one of a hundred visits to the service', async () => {
    const { slug } = await server.page(tenant);
    const path = `/status/${slug}`;
    await until(async () => (await proxy.ask(path)).status === 200);
    const answers = await Promise.all(Array.from({ length: 100 }, () => proxy.ask(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await visitsOf(path)).toBeLessThan(20);
  });

  it('leaves one of a hundred visits of HOME_PAGE at / to the service', async () => {
    const { slug } = await server.page(tenant, { slug: HOME_PAGE });
    await until(async () => (await proxy.ask('/')).status === 200);
    const before = await visitsOf('/');
    const answers = await Promise.all(Array.from({ length: 100 }, () => proxy.ask('/')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await visitsOf('/')) - before).toBeLessThan(20);
    const old = await proxy.ask(`/status/${slug}`);
    expect([old.status, old.headers.location]).toEqual([308, '/']);
  });

  it('serves the page and 304 while the service is down', async () => {
    const { slug } = await server.page(tenant, { name: 'Still there', slug: 'still-there' });
    const path = `/status/${slug}`;
    const before = await until(async () => {
      const one = await proxy.ask(path);
      return one.status === 200 && one;
    });
    await stop(program);
    try {
      // Later than the ten seconds for which it is fresh.
      const late = Date.now() + 11_000;
      await until(async () => Date.now() > late);
      for (let visit = 0; visit < 5; visit += 1) {
        const answer = await proxy.ask(path);
        expect([answer.status, answer.bytes.equals(before.bytes)]).toEqual([200, true]);
      }
      const known = { 'If-None-Match': String(before.headers.etag) };
      expect((await proxy.ask(path, { headers: known })).status).toBe(304);
    } finally {
      program = await start();
    }
  });

  it('shows a change within seconds', async () => {
    const page = await server.page(tenant, { name: 'Before' });
    const path = `/status/${page.slug}`;
    await until(async () => (await proxy.ask(path)).status === 200);
    expect((await server.patch(tenant, page.id, { name: 'Afterwards' })).status).toBe(200);
    await until(async () => (await proxy.ask(path)).bytes.includes('Afterwards'));
  });

  it('never stores a preview of a private page', async () => {
    const page = await server.page(tenant, { is_public: false });
    const path = `/v1/status-pages/${page.id}/preview-links`;
    const { body } = await server.ask<{ data: { url: string } }>(path, {
      method: 'POST',
      key: tenant.key,
      json: {},
    });
    const { pathname, search } = new URL(body.data.url);
    expect((await proxy.ask(pathname + search)).status).toBe(200);
    expect((await proxy.ask(pathname)).status).toBe(404);
    expect(await proxy.log()).not.toContain('preview=');
  });

  it('never stores a private page that a session or a token opens, and keeps tokens out of its log', async () => {
    const page = await server.page(tenant, { name: 'Behind the gate', is_public: false });
    const access = `/v1/status-pages/${page.id}/access`;
    const password = 'correct horse battery staple';
    await server.ask(access, { method: 'PUT', key: tenant.key, json: { password } });
    const { body } = await server.ask<{ data: { token: string } }>(`${access}/links`, {
      method: 'POST',
      key: tenant.key,
      json: { description: 'A feed reader' },
    });
    const { token } = body.data;
    const path = `/status/${page.slug}`;
    await until(async () => (await proxy.ask(path)).status === 403);
    const entered = await proxy.ask(`${path}/access/password`, {
      method: 'POST',
      body: new URLSearchParams({ password, to: '' }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(entered.status).toBe(303);
    const [cookie = ''] = (entered.headers['set-cookie']?.[0] ?? '').split(';', 1);
    for (const part of [
      '',
      '/history',
      '/feed.atom',
      '/api/v2/summary.json',
      '/badge.svg',
      '/og-image.png',
    ]) {
      for (let visit = 0; visit < 2; visit++) {
        expect((await proxy.ask(path + part, { headers: { Cookie: cookie } })).status).toBe(200);
        expect((await proxy.ask(`${path}${part}?token=${token}`)).status).toBe(200);
        expect((await proxy.ask(path + part)).status).toBe(403);
      }
    }
    await server.ask(access, { method: 'PUT', key: tenant.key, json: { password } });
    expect((await proxy.ask(path, { headers: { Cookie: cookie } })).status).toBe(403);
    expect(await proxy.log()).not.toContain('token=');
  });

  it.each([
    ['a path that nginx decodes', (path: string) => path.replace('/status/', '/x/%2e%2e/status/')],
    ['a path with dots', (path: string) => path.replace('/status/', '/status/x/../')],
    ['a path with an encoded slash', (path: string) => path.replace('/status/', '/status%2F')],
    ['a repeated parameter', (path: string) => `${path}&month=x`],
    ['an upper-case parameter', (path: string) => path.replace('?month', '?MONTH')],
    ['an encoded parameter', (path: string) => path.replace('?month', '?%6donth')],
  ])('never serves the response to %s to visitors', async (_name, spoil) => {
    const page = await server.page(tenant);
    const [month] = new Date()
      .toISOString()
      .split('T')
      .map((day) => day.slice(0, 7));
    const path = `/status/${page.slug}/history?month=${month}`;
    await until(async () => (await fetch(`http://127.0.0.1:${port}${path}`)).status === 200);
    await proxy.ask(spoil(path));
    await proxy.ask(spoil(`/status/${page.slug}/history?month=1999-01`));
    const answer = await proxy.ask(path);
    expect([answer.status, answer.bytes.includes(page.name)]).toEqual([200, true]);
    const plain = await proxy.ask(`/status/${page.slug}/history`);
    expect(plain.status).toBe(200);
  });
});
