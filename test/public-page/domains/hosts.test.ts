import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { newDomain, useDomain } from './use-domain.js';

const { server, tenant, shownPage, domains, newPage, on, raw } = useDomain();

const statusOf = (answer: string) => Number(answer.slice(9, 12));

/** Returns the response to a request target as it is, with a host. */
const target = (one: string, host = shownPage.domain): Promise<string> =>
  raw(`GET ${one} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

describe('the host of a request', () => {
  it('selects the same domain in ten spellings', async () => {
    const name = `xn--bcher-kva.${newDomain()}`;
    await newPage({}, name);
    const upper = name.toUpperCase();
    for (const host of [
      name,
      upper,
      `Xn--BCHER-kva${name.slice(13)}`,
      `${name}.`,
      `${upper}.`,
      `${name}:80`,
      `${name}:443`,
      `${name}:8443`,
      `${upper}.:443`,
      `${name}:`,
    ]) {
      const answer = await target('/', host);
      expect([host, statusOf(answer)]).toEqual([host, 200]);
      expect(answer).toContain(`<link rel="canonical" href="http://${name}/"`);
    }
  });

  it('comes from the target of a request in absolute form, not from the header', async () => {
    for (const one of [
      `http://${shownPage.domain}/history`,
      `HTTPS://${shownPage.domain.toUpperCase()}:443/history?x=1`,
    ])
      expect([one, statusOf(await target(one, 'other.example'))]).toEqual([one, 200]);
    expect(statusOf(await target(`http://${shownPage.domain}?utm=1`, 'other.example'))).toBe(200);
    const own = new URL(server.url).host;
    expect(await target(`http://${own}/health/live`)).toContain('{"data":{"status":"ok"}}');
  });

  it('never leads to an error, another host or another page, with any request target', async () => {
    const other = await newPage({ name: 'Other page' });
    for (const one of [
      '//',
      '///',
      '//evil.example',
      '//evil.example/',
      '//evil.example/HISTORY/',
      '/\\evil.example/',
      '/.//evil.example/',
      '/;/',
      '/#',
      '/?#',
      '/%00',
      '/%',
      '/%2f%2fevil.example',
      '/..',
      `/../${other.slug}`,
      `/../${other.slug}/history`,
      `/..%2f${other.slug}`,
      `/./status/${other.slug}`,
      `/STATUS/${other.slug}/`,
      `//status/${other.slug}`,
      '*',
      'history',
      `http://${shownPage.domain}//evil.example/`,
      `http://${shownPage.domain}`,
      `http://user:pw@${shownPage.domain}/`,
      `http://[/`,
      `ftp://${shownPage.domain}/`,
      `/${'A'.repeat(4_000)}/`,
      '/HISTORY/?//evil.example',
    ]) {
      const answer = await target(one);
      expect([one, statusOf(answer)]).toEqual([one, expect.toBeOneOf([200, 308, 400, 404])]);
      expect(answer).not.toContain('Other page');
      const [, location] = /^Location: (.*)\r$/m.exec(answer) ?? [];
      if (location !== undefined)
        expect([one, location]).toEqual([one, expect.stringMatching(/^\/($|[?a-z])/)]);
    }
  });

  it('selects no domain if it is missing, repeated or not a name', async () => {
    const noHost = await raw('GET /history HTTP/1.0\r\n\r\n');
    expect(statusOf(noHost)).toBe(404);
    const two = `GET /history HTTP/1.1\r\nHost: ${shownPage.domain}\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(statusOf(await raw(two))).toBe(400);
    for (const host of [
      '',
      '[::1]',
      '127.0.0.1',
      `${shownPage.domain}/`,
      `x@${shownPage.domain}`,
      'a b',
      '%00',
    ])
      expect([host, statusOf(await target('/history', host))]).toEqual([host, expect.toBeOneOf([400, 404])]);
    expect((await on('evil.example', '/history', { 'x-forwarded-host': shownPage.domain })).status).toBe(404);
  });

  it('separates the requests of one connection', async () => {
    const get = (host: string, path: string, rest = '') =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${rest}\r\n`;
    const own = new URL(server.url).host;
    const answer = await raw(
      get(shownPage.domain, '/badge.json') +
        get(own, '/badge.json') +
        get(shownPage.domain, '/badge.json', 'Connection: close\r\n'),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });
});

describe('the log of a request on a domain', () => {
  it('contains the domain, the path that was requested, and the route of the part', async () => {
    const info = vi.spyOn(server.app.get<Logger>(LOGGER), 'info');
    const routes = [
      ['/', '/status/{slug}'],
      ['/', '/status/{slug}'], // from the cache
      [`/incidents/${shownPage.shown.incident}`, '/status/{slug}/incidents/{id}'],
      ['/feed.rss?lang=de', '/status/{slug}/feed.{format}'],
      ['/status/assets/page.js', '/status/assets/page.js'],
      ['/v1/status-pages', '/status/{path}'],
    ];
    try {
      for (const [path = '', route] of routes) {
        info.mockClear();
        await on(shownPage.domain.toUpperCase(), path);
        await vi.waitFor(() => expect(info).toHaveBeenCalled());
        expect(info.mock.lastCall?.[0]).toMatchObject({
          domain: shownPage.domain,
          path: path.replace(/\?.*/, ''),
          route,
        });
      }
      info.mockClear();
      await on('unknown.example', '/badge.json');
      await vi.waitFor(() => expect(info).toHaveBeenCalled());
      expect(info.mock.lastCall?.[0]).toMatchObject({ domain: undefined, path: '/badge.json', status: 404 });
    } finally {
      info.mockRestore();
    }
  });
});

describe('another spelling of a path on a domain', () => {
  it('redirects within the domain, with its query', async () => {
    const { incident } = shownPage.shown;
    for (const [path, location] of [
      ['/HISTORY/?month=2026-11', '/history?month=2026-11'],
      ['/Feed.rss', '/feed.rss'],
      [`/incidents/${incident.toUpperCase()}`, `/incidents/${incident}`],
      ['/subscribe/?lang=de', '/subscribe?lang=de'],
    ]) {
      const { status, headers } = await on(shownPage.domain, path ?? '');
      expect([path, status, headers['location']]).toEqual([path, 308, location]);
    }
  });
});

describe('a page whose slug has changed', () => {
  it('stays on its domain, and never shows another page that took the slug', async () => {
    const page = await newPage({ name: 'First name' });
    expect((await on(page.domain, '/')).text).toContain('First name');
    const change = async (id: string, slug: string) => {
      const path = `/v1/status-pages/${id}/settings`;
      const { status } = await server.ask(path, { method: 'PATCH', key: tenant.key, json: { slug } });
      expect(status).toBe(200);
    };
    const other = await newPage({ name: 'Second name' });
    await change(page.id, `${page.slug}-new`);
    await change(other.id, page.slug);
    for (let round = 0; round < 3; round++)
      expect((await on(page.domain, '/')).text).not.toContain('Second name');
    await domains.refresh();
    const { status, text } = await on(page.domain, '/');
    expect([status, text.includes('First name')]).toEqual([200, true]);
  });
});
