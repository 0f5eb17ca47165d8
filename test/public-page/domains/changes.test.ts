import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { DomainFile } from '../../../src/domains/domain-file.js';
import { DomainSaver } from '../../../src/domains/domain-saver.js';
import { Env } from '../../../src/platform/config/env.js';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { RequestLog } from '../../../src/platform/server/request-log.js';
import { DocumentCache } from '../../../src/visitors/cache/document-cache.js';
import { SavedCopies } from '../../../src/visitors/cache/saved-copies.js';
import { StandbyServer } from '../../../src/visitors/cache/standby-server.js';
import { PageRenderer } from '../../../src/page-documents/rendering/page-renderer.service.js';
import { domainsOf } from '../../domains/use-domains.js';
import { useTenant, useTestServer, until } from '../../support/server.js';
import { visit } from '../cache/use-visits.js';
import { newDomain } from './use-domain.js';

const directory = mkdtempSync(join(tmpdir(), 'status-pages-domains-'));
afterAll(() => rm(directory, { recursive: true }));

const server = useTestServer({ DATA_DIR: directory });
const tenant = useTenant(server);
const domains = domainsOf(server);
afterEach(() => vi.restoreAllMocks());

const on = (host: string, path: string) => visit(server.url + path, { host });
const below = (slug: string) => visit(`${server.url}/status/${slug}`);
const canonicalOf = ({ text }: { text: string }) => /rel="canonical" href="([^"]*)"/.exec(text)?.[1];

/** Changes the claim of a page, without making the process read it. */
const setStatus = (id: string, status: string) =>
  server.sql('UPDATE status_page_domains SET status = $2 WHERE status_page_id = $1', [id, status]);

/** Returns the copies on the disk that contain a text. */
async function filesWith(text: string): Promise<string[]> {
  const folder = join(directory, 'pages');
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => (await readFile(join(folder, name), 'utf8').catch(() => '')).includes(text)),
  );
  return names.filter((_name, index) => found[index]);
}

/** Two seconds, and a margin for slow test machines. */
const WITHIN_MS = 4_000;

/** Returns the milliseconds until a probe succeeds. */
async function timeUntil(probe: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  await until(probe);
  return performance.now() - started;
}

describe('a domain that is verified', () => {
  it('serves the page within two seconds, and is its canonical URL everywhere', async () => {
    const domain = newDomain();
    const { id, slug } = await server.page(tenant, { custom_domain: domain });
    expect((await on(domain, '/')).status).toBe(404);
    expect(canonicalOf(await below(slug))).toBe(
      `${server.url.replace('127.0.0.1', 'localhost')}/status/${slug}`,
    );
    await setStatus(id, 'verified');
    const isThere = async () =>
      (await on(domain, '/')).status === 200 && canonicalOf(await below(slug)) === `http://${domain}/`;
    expect(await timeUntil(isThere)).toBeLessThan(WITHIN_MS);
  });
});

describe('a copy below the slug', () => {
  it('gets the new canonical URL as soon as the process knows of the domain, also if no visitor has used the copy', async () => {
    const domain = newDomain();
    const { id, slug } = await server.page(tenant, { custom_domain: domain });
    const { saved } = server.app.get(DocumentCache);
    for (const [status, expected] of [
      ['verified', `http://${domain}/`],
      ['lost', expect.stringContaining(`/status/${slug}`)],
      ['verified', `http://${domain}/`],
    ]) {
      await below(slug);
      await domains.set(id, `status = '${status}'`);
      expect(canonicalOf(await below(slug))).toEqual(expected);
    }
    expect(saved.hasSome((copy) => copy.slug === slug)).toBe(true);
  });
});

describe('a domain that is lost', () => {
  it('serves nothing after two seconds, also not from memory or DATA_DIR', async () => {
    const domain = newDomain();
    const { id, slug } = await domains.page(tenant, domain);
    for (const path of ['/', '/history', '/badge.json', '/?lang=de'])
      expect((await on(domain, path)).status).toBe(200);
    await below(slug);
    await server.app.get(SavedCopies).flush(Infinity);
    expect(await filesWith(`"host":"${domain}"`)).toHaveLength(4);
    await setStatus(id, 'lost');
    const isGone = async () =>
      (await on(domain, '/')).status === 404 && canonicalOf(await below(slug)) !== `http://${domain}/`;
    expect(await timeUntil(isGone)).toBeLessThan(WITHIN_MS);
    await until(async () => (await filesWith(`"host":"${domain}"`)).length === 0);
    const { saved } = server.app.get(DocumentCache);
    expect(saved.hasSome(({ host }) => host === domain)).toBe(false);
  });

  it('remains lost after a rendering that was in flight', async () => {
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain);
    const renderer = server.app.get(PageRenderer, { strict: false });
    const { serve } = renderer;
    vi.spyOn(renderer, 'serve').mockImplementationOnce(async (...parameters) => {
      const rendered = await serve.apply(renderer, parameters);
      await domains.set(id, `status = 'lost'`);
      return rendered;
    });
    expect((await on(domain, '/')).status).toBe(404);
    const { saved } = server.app.get(DocumentCache);
    await saved.flush(Infinity);
    expect(saved.hasSome(({ host }) => host === domain)).toBe(false);
  });

  it('shows the page of its new owner, and nothing of the former one', async () => {
    const domain = newDomain();
    const former = await domains.page(tenant, domain, { name: 'Former owner' });
    expect((await on(domain, '/')).text).toContain('Former owner');
    const other = await server.tenant();
    await domains.set(former.id, `status = 'lost'`);
    const next = await domains.page(other, domain, { name: 'New owner' });
    for (const path of ['/', '/badge.json', '/feed.rss', '/api/v2/summary.json']) {
      const { status, text } = await on(domain, path);
      expect([path, status, text.includes('New owner')]).toEqual([path, 200, true]);
      expect(text).not.toContain('Former owner');
    }
    expect(canonicalOf(await below(former.slug))).toContain(`/status/${former.slug}`);
    expect(canonicalOf(await below(next.slug))).toBe(`http://${domain}/`);
  });
});

describe('a page that becomes private', () => {
  it('disappears from its domain within two seconds, and from DATA_DIR', async () => {
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain);
    expect((await on(domain, '/')).status).toBe(200);
    await server.app.get(SavedCopies).flush(Infinity);
    expect((await server.patch(tenant, id, { is_public: false })).status).toBe(200);
    expect(await timeUntil(async () => (await on(domain, '/')).status === 404)).toBeLessThan(WITHIN_MS);
    await until(async () => (await filesWith(domain)).length === 0);
  });
});

describe('StandbyServer', () => {
  it('serves saved copies by domain, redirects within it, and 503 for what it has not', async () => {
    const domain = newDomain();
    const { slug } = await domains.page(tenant, domain);
    for (const path of ['/', '/?lang=de', '/history']) expect((await on(domain, path)).status).toBe(200);
    await server.app.get(SavedCopies).flush(Infinity);
    await server.app.get(DomainSaver, { strict: false }).save();
    const env = Object.assign(new Env(), server.app.get(Env));
    const logger = server.app.get(LOGGER);
    const saved = new SavedCopies(env, logger);
    await saved.load();
    const known = await new DomainFile(env).read();
    const standby = new StandbyServer(saved, logger, server.app.get(RequestLog), env, known);
    const base = `http://127.0.0.1:${await standby.listen(0, '127.0.0.1')}`;
    try {
      const get = (path: string, host = domain) => visit(base + path, { host });
      for (const path of ['/', '/?utm=1', '/?lang=de', '/history']) {
        const { status, text } = await get(path, `${domain.toUpperCase()}.:443`);
        expect([path, status, canonicalOf({ text })?.startsWith(`http://${domain}/`)]).toEqual([
          path,
          200,
          true,
        ]);
      }
      expect((await get('/')).text).toContain('href="/feed.rss"');
      const { status, headers } = await get('/HISTORY/');
      expect([status, headers['location']]).toEqual([308, '/history']);
      expect((await get('/status/assets/page.js')).status).toBe(200);
      for (const path of ['/feed.rss', `/status/${slug}`, '/v1', '/health/live'])
        expect([path, (await get(path)).status]).toEqual([path, 503]);
      expect((await get('/', 'unknown.example')).status).toBe(503);
      expect((await get(`/status/${slug}`, 'unknown.example')).status).toBe(503); // not saved
    } finally {
      await standby.close();
    }
  });
});
