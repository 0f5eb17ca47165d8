import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ServerExpressAdapter } from '../../src/platform/server/express-adapter.js';
import { TestServer, until } from '../support/server.js';
import { renderingsIn, useVisits, visit, visitorStatementsOf, withinMinute } from './cache/use-visits.js';

const HOME_PAGE = `home-${randomUUID()}`;
const PUBLIC_URL = 'https://status.example/our';

const { server, tenant, page, change } = useVisits({ HOME_PAGE, PUBLIC_URL });

const get = (path: string, headers?: Record<string, string>, method?: string) =>
  visit(server.url + path, headers, method);

/** The page of `HOME_PAGE`, created by the first test that uses it. */
let made: ReturnType<typeof page> | undefined;
const home = () => (made ??= page({ slug: HOME_PAGE, name: 'Home' }));

describe('GET / with HOME_PAGE', () => {
  it('returns the 404 page while no public page has this slug', async () => {
    const [found, unknown] = [await get('/'), await get('/status/no-such-page')];
    expect([found.status, found.text]).toEqual([404, unknown.text]);
    expect(found.headers['content-type']).toMatch(/^text\/html/);
  });

  it('returns the page for GET and HEAD, with an ETag, and 405 for other methods', async () => {
    await home();
    await until(async () => (await get('/')).status === 200);
    const found = await get('/', { 'accept-encoding': 'identity' });
    expect(found.text).toContain('<h1');
    expect(found.text).toContain('Home');
    expect(found.headers['cache-control']).toMatch(/^public, max-age=10, /);
    const head = await get('/', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    const { status } = await get('/', { 'if-none-match': found.headers['etag'] ?? '' });
    expect(status).toBe(304);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const other = await get('/', {}, method);
      expect([method, other.status, other.headers['allow']]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
  });

  it('appears as the only address of the overview in the page, the feeds and api/v2', async () => {
    await home();
    const base = `/status/${HOME_PAGE}`;
    const { text } = await get('/');
    expect(text).toContain(`<link rel="canonical" href="${PUBLIC_URL}/"`);
    expect(text).toContain(`<meta property="og:url" content="${PUBLIC_URL}/"`);
    expect(text).toContain(`href="/our${base}/history`);
    expect(text).toContain(`href="/our${base}/feed.rss"`);
    expect((await get(`${base}/history`)).text).toContain('href="/our/"');
    const texts = [text];
    for (const part of [
      '/history',
      '/feed.rss',
      '/feed.atom',
      '/feed.json',
      '/badge.json',
      '/og-image.png',
      '/api/v2/summary.json',
    ])
      texts.push((await get(base + part)).text);
    for (const one of texts) expect(one).not.toMatch(new RegExp(`${base}["<?]`));
    const summary: { page: { url: string } } = JSON.parse((await get(`${base}/api/v2/summary.json`)).text);
    expect(summary.page.url).toBe(`${PUBLIC_URL}/`);
    const feed: { home_page_url: string } = JSON.parse((await get(`${base}/feed.json`)).text);
    expect(feed.home_page_url).toBe(`${PUBLIC_URL}/`);
  });

  it('redirects every spelling of /status/{slug} with 308, with the path of PUBLIC_URL', async () => {
    await home();
    const base = `/status/${HOME_PAGE}`;
    for (const path of [base, `${base}/`, base.toUpperCase(), `/Status/${HOME_PAGE}/`]) {
      const { status, headers } = await get(`${path}?utm=X`);
      expect([path, status, headers['location']]).toEqual([path, 308, '/our/?utm=X']);
    }
    const { status, headers } = await get(`${base}/FEED.rss/`);
    expect([status, headers['location']]).toEqual([308, `/our${base}/feed.rss`]);
    const other = await page();
    expect((await get(`/status/${other.slug}`)).status).toBe(200);
  });

  it('executes no SQL statement with a cached copy', () =>
    withinMinute(async () => {
      await home();
      await get('/');
      const statements = await visitorStatementsOf(async () => {
        for (const path of ['/', '/?utm=1', '/?', '/']) expect((await get(path)).status).toBe(200);
        await Promise.all(Array.from({ length: 50 }, () => get('/')));
      });
      expect(renderingsIn(statements)).toBe(0);
      expect(statements).toEqual([]);
    }));

  it('responds before Express with a cached copy, like every page', async () => {
    await home();
    await until(async () => (await get('/')).status === 200);
    const adapter = server.app.getHttpAdapter();
    if (!(adapter instanceof ServerExpressAdapter)) throw new Error('another adapter');
    const { respondFirst } = adapter;
    const responded: boolean[] = [];
    adapter.respondFirst = (request, response) => {
      const hasResponded = respondFirst(request, response);
      responded.push(hasResponded);
      return hasResponded;
    };
    try {
      for (const path of ['/', '/?utm=1', `/status/${HOME_PAGE}`, '/?preview=x', '/docs']) await get(path);
      expect(responded).toEqual([true, true, false, false, false]);
    } finally {
      adapter.respondFirst = respondFirst;
    }
  });

  it('returns a new request ID for each response', async () => {
    await home();
    const ids = new Set<string>();
    for (let round = 0; round < 3; round++) ids.add((await get('/')).headers['x-request-id'] ?? '');
    expect(ids.size).toBe(3);
  });

  it('redirects former slugs of the page to /, and / to the page if its slug has changed', async () => {
    const { id, slug } = await page();
    const { id: homeId } = await home();
    await change(homeId, { slug: `other-${HOME_PAGE}` });
    const leads = (path: string, location: string) =>
      until(async () => {
        const { status, headers } = await get(path);
        return status === 308 && headers['location'] === location;
      });
    await leads('/?utm=X', `/our/status/other-${HOME_PAGE}?utm=X`);
    await change(id, { slug: HOME_PAGE });
    await leads(`/status/${slug}`, '/our/');
    const { headers } = await get(`/status/${slug}/feed.rss`);
    expect(headers['location']).toBe(`/our/status/${HOME_PAGE}/feed.rss`);
    await change(id, { slug });
    await change(homeId, { slug: HOME_PAGE });
    await until(async () => (await get('/')).status === 200);
  });

  it('shows a private page only with a preview link, which leads to /', async () => {
    const { id } = await home();
    await change(id, { is_public: false });
    await until(async () => (await get('/')).status === 404);
    const path = `/v1/status-pages/${id}/preview-links`;
    const { body } = await server.ask<{ data: { url: string } }>(path, { method: 'POST', key: tenant.key });
    const { url } = body.data;
    expect(url).toMatch(/^https:\/\/status\.example\/our\/\?preview=pv_\w+$/);
    const { search } = new URL(url);
    const shown = await get(`/${search}`);
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(shown.text).toContain(`href="/our/${search}"`);
    expect(shown.text).toContain(`href="/our/status/${HOME_PAGE}/feed.rss${search}"`);
    const old = await get(`/status/${HOME_PAGE}${search}`);
    expect([old.status, old.headers['location']]).toEqual([308, `/our/${search}`]);
    expect(old.headers['cache-control']).toBe('private, no-store');
    await change(id, { is_public: true });
    await until(async () => (await get('/')).status === 200);
  });

  it('returns 404 for other spellings of the path', async () => {
    await home();
    for (const path of ['//', '/%2f', '/;', '/index.html', '/x'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

describe('two servers with one database', () => {
  it('serve different pages at /', async () => {
    const other = await page({ name: 'Other' });
    const own = await TestServer.start({ ...server.databaseEnv, HOME_PAGE: other.slug });
    try {
      expect((await visit(`${own.url}/`)).text).toContain('Other');
    } finally {
      await own.stop();
    }
  });
});
