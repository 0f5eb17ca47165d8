import { describe, expect, it } from 'vitest';
import { constantHeaders } from '../cache/use-visits.js';
import { newDomain, useDomain } from './use-domain.js';

const { server, tenant, shownPage, newPage, on, pageOf, paths, visit } = useDomain();

/** Returns the links of a document: attributes of HTML, and all URLs of other formats. */
function linksIn(text: string, type: string): string[] {
  if (!type.startsWith('text/html'))
    return text.replaceAll('\r\n ', '').match(/https?:\/\/[^\s"'<>\\]+/g) ?? [];
  return [...text.matchAll(/ (?:href|src|action|content)="([^"]*)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => /^(https?:|\/)/.test(link));
}

/** URLs that are names and not links. */
const NAMESPACE = /^https?:\/\/(www\.w3\.org|jsonfeed\.org|shields\.io)\//;

describe('a page on its domain', () => {
  it('serves every part at the path below the domain, with the same status and headers as below the slug', async () => {
    for (const path of paths()) {
      const slugPath = `${shownPage.slug}${path.replace(/^\/(?=\?|$)/, '')}`;
      const [there, here] = [await on(shownPage.domain, path), await visit(slugPath)];
      expect([path, there.status, here.status]).toEqual([path, 200, 200]);
      const { etag: _etag, 'content-length': _length, ...headers } = constantHeaders(there);
      for (const [name, value] of Object.entries(headers))
        expect([path, name, value]).toEqual([path, name, here.headers.get(name)]);
      expect((await on(shownPage.domain, path, {}, 'HEAD')).status).toBe(200);
    }
  });

  it('contains only links to the domain, which all lead to a part', async () => {
    const { origin } = new URL(server.url);
    const found = new Set<string>();
    for (const path of paths()) {
      const { text, headers } = await on(shownPage.domain, path);
      for (const link of linksIn(text, headers['content-type'] ?? '')) {
        if (NAMESPACE.test(link) || link.startsWith('/status/assets/')) continue;
        expect([path, link]).toEqual([path, expect.stringMatching(/^\/|^http:\/\/status-/)]);
        expect([path, link]).toEqual([path, expect.not.stringContaining('/status/')]);
        expect([path, link]).toEqual([path, expect.not.stringContaining(origin)]);
        const { host, pathname, search } = new URL(link, `http://${shownPage.domain}`);
        expect([path, link, host]).toEqual([path, link, shownPage.domain]);
        found.add(pathname + search);
      }
    }
    expect(found.size).toBeGreaterThan(20);
    for (const link of found) expect([link, (await on(shownPage.domain, link)).status]).toEqual([link, 200]);
  });

  it('loads its script from the domain', async () => {
    const { text } = await on(shownPage.domain, '/');
    expect(text).toContain('src="/status/assets/page.js"');
    const { status, headers } = await on(shownPage.domain, '/status/assets/page.js?x');
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('names the domain as canonical at both addresses, while navigation stays at the address of the visitor', async () => {
    for (const path of ['/', '/history', `/incidents/${shownPage.shown.incident}`]) {
      const [there, here] = [
        await on(shownPage.domain, path),
        await visit(shownPage.slug + path.replace(/\/$/, '')),
      ];
      for (const { text } of [there, here])
        expect(text).toMatch(
          new RegExp(`<link rel="canonical" href="http://${shownPage.domain}${path}(\\?|")`),
        );
      expect(there.text).toContain('href="/feed.rss"');
      expect(here.text).toContain(`href="/status/${shownPage.slug}/feed.rss"`);
      expect(here.text).toContain(
        `<meta property="og:image" content="http://${shownPage.domain}/og-image.png"`,
      );
    }
  });

  it('serves feeds and a calendar with the same entries, whose IDs do not change with the domain', async () => {
    const plain = await pageOf([shownPage.shown.monitor]);
    const idsIn = (text: string, pageId: string) =>
      [...text.matchAll(/<guid[^>]*>([^<]*)|<id>([^<]*)|"id":"([^"]*)"|^UID:(.*)$/gm)].map((found) =>
        found.slice(1).join('').trim().replace(pageId, '{page}'),
      );
    for (const path of ['/feed.rss', '/feed.atom', '/feed.json', '/maintenance.ics']) {
      const before = idsIn((await visit(plain.slug + path)).text, plain.id);
      const after = idsIn((await visit(shownPage.slug + path)).text, shownPage.id);
      const there = idsIn((await on(shownPage.domain, path)).text, shownPage.id);
      expect(before.length).toBeGreaterThan(0);
      expect([path, after, there]).toEqual([path, before, before]);
    }
  });

  it('opens by a preview link, whose links contain the token and stay on the domain', async () => {
    const hidden = await newPage({ is_public: false });
    expect((await on(hidden.domain, '/')).status).toBe(404);
    const path = `/v1/status-pages/${hidden.id}/preview-links`;
    const { body } = await server.ask<{ data: { url: string } }>(path, { method: 'POST', key: tenant.key });
    const { search, pathname } = new URL(body.data.url);
    expect(pathname).toBe(`/status/${hidden.slug}`);
    const { status, text, headers } = await on(hidden.domain, `/${search}`);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(text).toContain(`href="/subscribe${search}"`);
    expect((await on(hidden.domain, `/subscribe${search}`)).text).toContain(`href="/feed.rss${search}"`);
    expect(text).not.toContain('/status/page');
    expect((await on(shownPage.domain, `/${search}`)).text).not.toContain(search); // of another page
  });

  it('returns the same 404 page for everything else, with a link to its overview', async () => {
    const other = await newPage();
    const { text: unknown } = await on(shownPage.domain, '/no-such-part');
    expect(unknown).toContain('href="/"');
    for (const path of [
      '/v1/status-pages',
      '/v1',
      '/docs',
      '/openapi.json',
      '/health/live',
      '/health/ready',
      `/status/${shownPage.slug}`,
      `/status/${shownPage.slug}/history`,
      `/status/${other.slug}`,
      '/status/assets/page.css',
      '/monitors/x',
      '/feed.xml',
      '/robots.txt',
      '//',
      '/%2e%2e/v1',
      '/%',
      '/../v1/status-pages',
    ]) {
      const { status, text, headers } = await on(shownPage.domain, path, {
        authorization: `Bearer ${tenant.key}`,
      });
      expect([path, status, text]).toEqual([path, 404, unknown]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('rejects other methods like a page', async () => {
    for (const path of ['/', '/history', '/v1/status-pages'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await on(shownPage.domain, path, {}, method);
        expect([path, method, status, headers['allow']]).toEqual([path, method, 405, 'GET, HEAD, OPTIONS']);
      }
  });

  it('shows nothing of a private page', async () => {
    const hidden = await newPage({ is_public: false });
    const [{ text }] = [await on(hidden.domain, '/no-such-part')];
    for (const path of paths()) expect([path, (await on(hidden.domain, path)).text]).toEqual([path, text]);
  });
});

describe('an unknown host', () => {
  it('gets what it gets without domains', async () => {
    for (const host of [newDomain(), 'evil.example', '127.0.0.1', 'localhost:3000', `x.${shownPage.domain}`])
      for (const path of ['/', '/history', '/v1/status-pages', '/docs', `/status/${shownPage.slug}`]) {
        const [found, usual] = [await on(host, path), await on(new URL(server.url).host, path)];
        expect([host, path, found.status]).toEqual([host, path, usual.status]);
        if (!usual.headers['content-type']?.includes('problem')) expect(found.text).toBe(usual.text);
      }
  });
});
