import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PageVersions } from '../../src/visitors/cache/page-versions.js';
import { DocumentCache } from '../../src/visitors/cache/document-cache.js';
import { type One, until, useTenant, useTestServer, withinTwoSeconds } from '../support/server.js';
import { PICTURES } from './pictures.js';
import { useBranding, type WireBranding } from './use-branding.js';

const server = useTestServer();
const tenant = useTenant(server);
const { put, remove, patch } = useBranding(server, tenant);

const PNG = PICTURES['image/png'];

async function visit(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** The path of a picture in a response. */
const pathOf = (body: One<WireBranding>, name: 'logo' | 'logo_dark' | 'favicon' = 'logo'): string =>
  new URL(body.data[name]?.url ?? '').pathname;

describe('GET /status/{slug}/logo-{hash}.{extension}', () => {
  it.each(Object.entries(PICTURES))(
    'returns a %s unchanged, with headers that never run it',
    async (type, bytes) => {
      const page = await server.page(tenant);
      const path = pathOf((await put(page.id, 'logo', bytes)).body);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
      const extension = type.replace('svg+xml', 'svg').replace('jpeg', 'jpg').replace('image/', '');
      expect(path).toBe(`/status/${page.slug}/logo-${hash}.${extension}`);
      const rendered = await visit(path);
      const cached = await visit(path);
      for (const found of [rendered, cached]) {
        expect([found.status, found.bytes.equals(bytes)]).toEqual([200, true]);
        expect(Object.fromEntries(found.headers)).toMatchObject({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'cross-origin',
        });
      }
    },
  );

  it('returns 404 for another hash, name, extension or spelling', async () => {
    const page = await server.page(tenant);
    const path = pathOf((await put(page.id, 'logo', PNG)).body);
    expect((await visit(path)).status).toBe(200);
    const unknown = await visit(`/status/${page.slug}/nothing`);
    const others = [
      path.replace(/logo-./, (start) => (start.endsWith('0') ? 'logo-1' : 'logo-0')),
      path.replace('logo-', 'favicon-'),
      path.replace('logo-', 'logo-dark-'),
      path.replace('.png', '.svg'),
      path.replace('.png', '.gif'),
      path.replace('logo', '%6cogo'),
      path.replace('.png', ''),
    ];
    for (const other of others) {
      const { status, bytes } = await visit(other);
      expect([other, status, bytes.equals(unknown.bytes)]).toEqual([other, 404, true]);
    }
  });

  it('redirects upper case to the one path', async () => {
    const page = await server.page(tenant);
    const path = pathOf((await put(page.id, 'logo', PNG)).body);
    const response = await fetch(server.url + path.toUpperCase(), { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, path]);
  });

  it('returns 304 if the visitor has the picture', async () => {
    const page = await server.page(tenant);
    const path = pathOf((await put(page.id, 'favicon', PNG)).body, 'favicon');
    const { headers } = await visit(path);
    expect((await visit(path, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
  });

  it('returns 404 for a private page without a preview token, and with it forbids caching', async () => {
    const page = await server.page(tenant, { is_public: false });
    const path = pathOf((await put(page.id, 'logo', PNG)).body);
    expect((await visit(path)).status).toBe(404);
    const link = await server.ask<One<{ url: string }>>(`/v1/status-pages/${page.id}/preview-links`, {
      method: 'POST',
      key: tenant.key,
      json: {},
    });
    const { search } = new URL(link.body.data.url);
    const shown = await visit(path + search);
    expect([shown.status, shown.bytes.equals(PNG), shown.headers.get('cache-control')]).toEqual([
      200,
      true,
      'private, no-store',
    ]);
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  });

  it('returns 404 within two seconds after the picture has changed or was deleted', async () => {
    const page = await server.page(tenant);
    const before = pathOf((await put(page.id, 'logo', PNG)).body);
    await visit(before);
    const after = pathOf((await put(page.id, 'logo', PICTURES['image/webp'])).body);
    await server.app.get(PageVersions).check();
    await until(async () => (await visit(before)).status === 404);
    expect((await visit(after)).status).toBe(200);
    await remove(page.id, 'logo');
    await until(async () => (await visit(after)).status === 404);
  });

  it('ignores guessed hashes in the cache', async () => {
    const page = await server.page(tenant);
    await visit(`/status/${page.slug}`);
    const { saved } = server.app.get(DocumentCache);
    await saved.flush(Infinity);
    const before = saved.size;
    for (let number = 0; number < 20; number++) {
      const hash = number.toString(16).padStart(16, '0');
      expect((await visit(`/status/${page.slug}/logo-${hash}.png`)).status).toBe(404);
    }
    await saved.flush(Infinity);
    expect(saved.size).toBe(before);
  });
});

describe('public page', () => {
  it('shows the favicon of the company, or the current status', async () => {
    const page = await server.page(tenant);
    const html = async () => (await visit(`/status/${page.slug}`)).bytes.toString();
    expect(await html()).toContain('<link rel="icon" href="data:image/svg+xml');
    const path = pathOf((await put(page.id, 'favicon', PNG)).body, 'favicon');
    await until(async () => (await html()).includes(`<link rel="icon" href="${path}"`));
    await remove(page.id, 'favicon');
    await until(async () => (await html()).includes('<link rel="icon" href="data:image/svg+xml'));
  });

  it('contains pictures in each feed, as absolute URLs', async () => {
    const page = await server.page(tenant);
    await put(page.id, 'favicon', PICTURES['image/svg+xml']);
    const { body } = await put(page.id, 'logo', PNG);
    const { logo, favicon } = body.data;
    const feed = async (format: string) =>
      (await visit(`/status/${page.slug}/feed.${format}`)).bytes.toString();
    expect(await feed('rss')).toContain(`<image><url>${logo?.url}</url>`);
    expect(await feed('atom')).toContain(`<icon>${favicon?.url}</icon><logo>${logo?.url}</logo>`);
    expect(JSON.parse(await feed('json'))).toMatchObject({ icon: logo?.url, favicon: favicon?.url });
  });

  it('contains no RSS image in a format that RSS does not allow', async () => {
    const page = await server.page(tenant);
    await put(page.id, 'logo', PICTURES['image/svg+xml']);
    const { bytes } = await visit(`/status/${page.slug}/feed.rss`);
    expect(bytes.toString()).not.toContain('<image>');
  });

  it('changes within two seconds after a change of its branding', async () => {
    const page = await server.page(tenant);
    const tag = async () => (await visit(`/status/${page.slug}`)).headers.get('etag');
    const key = `${page.slug}`;
    await tag();
    const version = () => server.app.get(DocumentCache).directory.get(key)?.version;
    const before = version();
    await patch(page.id, { language: 'de' });
    const after = await withinTwoSeconds(async () => {
      await tag();
      return version() !== before && version();
    });
    expect(after).not.toBe(before);
  });
});
