import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Env } from '../../../src/config/env.js';
import { LOGGER } from '../../../src/logging/logging.module.js';
import { encode } from '../../../src/public-page/documents/page-document.js';
import { Content } from '../../../src/public-page/cache/content.js';
import type { Copy } from '../../../src/public-page/cache/copy.js';
import { KeptCopies } from '../../../src/public-page/cache/kept-copies.js';
import { Outage } from '../../../src/public-page/cache/outage.js';
import { PageCache } from '../../../src/public-page/cache/page-cache.js';
import { PageVersions } from '../../../src/public-page/cache/page-versions.js';
import type { Part } from '../../../src/public-page/documents/parts.js';
import { Program, startProgram, stop } from '../../support/process.js';
import { DatabaseProxy } from '../../support/proxy.js';
import { TestServer, until } from '../../support/server.js';
import { newSlug, useVisits, visit as visitUrl } from './use-visits.js';

const { server, page, change } = useVisits();

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-kept-'));
});
afterEach(async () => {
  await Program.killAll();
  await rm(directory, { recursive: true, force: true });
});

const folder = () => join(directory, 'pages');
const files = () => readdir(folder()).catch(() => []);

/** A server with a data directory of its own, on the shared database. */
async function withServer(use: (own: TestServer) => Promise<void>, env: Record<string, string> = {}) {
  const own = await TestServer.start({ ...server.databaseEnv, DATA_DIR: directory, ...env });
  await use(own).finally(() => own.stop());
}

/** A copy of a page that no database has. */
function copyOf(slug: string, part: Part): Copy {
  return {
    content: new Content(encode({ type: 'text/plain', body: slug })),
    slug,
    part,
    page_id: '0199d1e2-0000-7000-8000-000000000000',
    version: '1',
    until: Date.now(),
    rendered_at: Date.now(),
    read_at: 0,
    used_at: 0,
  };
}

/** The copies in the directory, without a server. */
const keptCopies = () =>
  new KeptCopies(Object.assign(new Env(), { DATA_DIR: directory }), server.app.get(LOGGER));

describe('the copies on the disk', () => {
  it('are private files, one for each part', async () => {
    const { slug } = await page();
    await withServer(async (own) => {
      for (const path of [slug, slug, `${slug}/feed.rss`, `${slug}?utm=1`])
        await visitUrl(`${own.url}/status/${path}`);
      await until(async () => (await files()).length === 2);
      expect((await stat(folder())).mode & 0o777).toBe(0o700);
      for (const name of await files()) expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    });
  });

  it('of a page that becomes private are gone, also those of an earlier process, and those without visitors', async () => {
    const [one, other] = [await page(), await page()];
    await withServer(async (own) => {
      for (const { slug } of [one, other]) await visitUrl(`${own.url}/status/${slug}`);
      await until(async () => (await files()).length === 2);
    });
    expect(await files()).toHaveLength(2);
    await withServer(async (own) => {
      await change(one.id, { is_public: false });
      await own.app.get(PageVersions).check();
      const [kept = ''] = await files();
      expect(await files()).toHaveLength(1);
      expect(await readFile(join(folder(), kept), 'utf8')).toContain(other.slug);
    });
  });

  it('of a page that becomes private are gone before those in memory', async () => {
    const { id, slug } = await page();
    expect.assertions(2); // that of the change, and that of the files
    await withServer(async (own) => {
      await visitUrl(`${own.url}/status/${slug}`);
      await until(async () => (await files()).length === 1);
      await change(id, { is_public: false });
      await until(async () => {
        const { status } = await visitUrl(`${own.url}/status/${slug}`);
        if (status === 404) expect(await files()).toEqual([]);
        return status === 404;
      });
    });
  });

  it('of a page that becomes private have none that was rendered while the others were deleted', async () => {
    const cache = server.app.get(PageCache);
    const copy = copyOf(newSlug(), { kind: 'overview' });
    const { page_id: id, slug, version } = copy;
    cache.directory.add({ id, slug, owner: id, version, read_at: 0, changed_at: 0 });
    const dropped = cache.drop({ id, slug });
    cache.kept.keep(copy);
    await dropped;
    await cache.kept.flush(Infinity);
    expect(cache.kept.has(slug)).toBe(false);
  });

  it('of a page are not served for another page that has its slug now', async () => {
    const [one, other] = [await page({ name: 'First' }), await page({ name: 'Second' })];
    await visitUrl(`${server.url}/status/${one.slug}`);
    await change(one.id, { slug: newSlug() });
    await change(other.id, { slug: one.slug });
    const { directory: pages, outage } = server.app.get(PageCache);
    const held = pages.get(one.slug);
    if (held) pages.remove(held);
    expect((await pages.find(one.slug))?.id).toBe(other.id);
    server.app.get(Outage).begin(new Error('away'));
    const { text } = await visitUrl(`${server.url}/status/${one.slug}`);
    outage.end();
    expect(text).not.toContain('First');
  });

  it('are at most 1,000, and those of months do not drive out that of the page itself', async () => {
    const kept = keptCopies();
    const slug = newSlug();
    kept.keep(copyOf(slug, { kind: 'overview' }));
    await kept.flush(Infinity);
    for (let index = 0; index < 1_010; index++) {
      kept.keep(copyOf(slug, { kind: 'history', month: String(index) }));
      if (index % 500 === 0) await kept.flush(Infinity);
    }
    await kept.flush(Infinity);
    expect([kept.size, (await files()).length, kept.has(slug)]).toEqual([1_000, 1_000, true]);
  });

  it('are found beside files that cannot be read, and what a process did not finish is deleted', async () => {
    const kept = keptCopies();
    kept.keep(copyOf('one', { kind: 'overview' }));
    await kept.flush(Infinity);
    await mkdir(join(folder(), 'folder.page'));
    for (const name of ['old.page.1', 'new.page.2']) await writeFile(join(folder(), name), '');
    await utimes(join(folder(), 'old.page.1'), 1, 1);
    const found = keptCopies();
    await found.load();
    expect(found.has('one')).toBe(true);
    expect((await files()).filter((name) => /^(old|new)/.test(name))).toEqual(['new.page.2']);
  });

  it('that are damaged, or older than a day, or of another database are not read', async () => {
    const pages = [await page(), await page(), await page()];
    await withServer(async (own) => {
      for (const { slug } of pages) await visitUrl(`${own.url}/status/${slug}`);
      await until(async () => (await files()).length === 3);
    });
    const [damaged = '', old = '', good = ''] = await files();
    const content = await readFile(join(folder(), damaged), 'utf8');
    await writeFile(join(folder(), damaged), content.slice(0, -20));
    const text = await readFile(join(folder(), old), 'utf8');
    const yesterday = Date.now() - 86_400_001;
    await writeFile(join(folder(), old), text.replace(/"rendered_at":\d+/, `"rendered_at":${yesterday}`));
    const slugs = new Map<string, string>();
    for (const name of [damaged, old, good])
      slugs.set(name, /"slug":"([^"]+)"/.exec(await readFile(join(folder(), name), 'utf8'))?.[1] ?? '');
    await withServer(async (own) => {
      const kept = own.app.get(KeptCopies);
      expect(await kept.find(slugs.get(damaged) ?? '')).toBeUndefined();
      expect(await kept.find(slugs.get(old) ?? '')).toBeUndefined();
      expect((await kept.find(slugs.get(good) ?? ''))?.slug).toBe(slugs.get(good));
    });
    const env = Object.assign(new Env(), {
      DATABASE_URL: 'postgres://127.0.0.1/another',
      DATA_DIR: directory,
    });
    const foreign = new KeptCopies(env, server.app.get(LOGGER));
    await foreign.load();
    expect(foreign.size).toBe(0);
  });

  it('may be on a read-only file system: visitors do not notice', { tags: ['mount'] }, async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', directory]);
    const { slug } = await page();
    const visitTwice = async (own: TestServer) => {
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
      await own.app.get(KeptCopies).flush(Infinity);
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
    };
    await withServer(visitTwice).finally(() => execFileSync('umount', [directory]));
  });

  it('may have a file in the place of their folder: visitors do not notice', async () => {
    await writeFile(folder(), '');
    const { slug } = await page();
    await withServer(async (own) => {
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
      await own.app.get(KeptCopies).flush(Infinity);
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
    });
  });
});

describe('a start without the database', { tags: ['postgres'] }, () => {
  it('serves the kept copies at once, 503 for all else, and takes over when the database is back', async () => {
    const { id, slug } = await page({ name: 'Kept' });
    const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
    const env = { DATABASE_URL: proxy.url, DATA_DIR: directory };
    const first = await startProgram(env);
    const { text } = await visitUrl(`${first.url}/status/${slug}`);
    await visitUrl(`${first.url}/status/${slug}/history`);
    await stop(first);
    expect(await files()).toHaveLength(2);

    proxy.cut();
    const second = await startProgram(env);
    const at = (path: string, headers?: Record<string, string>, method?: string) =>
      visitUrl(second.url + path, headers, method);
    const copy = await at(`/status/${slug}?utm=1`);
    expect([copy.status, copy.text]).toEqual([200, text]);
    expect((await at(`/status/${slug}`, { 'If-None-Match': copy.headers['etag'] ?? '' })).status).toBe(304);
    expect((await at(`/status/${slug}/history`, {}, 'HEAD')).status).toBe(200);
    expect((await at('/status/assets/page.js')).status).toBe(200);
    expect((await at('/health/live')).text).toBe('{"data":{"status":"ok"}}');
    const absent = await at(`/status/${newSlug()}`);
    expect([absent.status, absent.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    for (const [path, method] of [
      ['/health/ready', 'GET'],
      ['/v1/status-pages', 'GET'],
      [`/status/${slug}`, 'POST'],
    ] as const) {
      const { status, headers, text: problem } = await at(path, {}, method);
      expect([status, headers['content-type'], headers['retry-after']]).toEqual([
        503,
        'application/problem+json; charset=utf-8',
        '1',
      ]);
      expect(JSON.parse(problem)).toEqual({
        type: '/problems/unavailable',
        title: expect.any(String),
        status: 503,
        code: 'unavailable',
        detail: expect.any(String),
        request_id: headers['x-request-id'],
      });
    }
    expect(second.stdout).toContain('serves kept copies only: the database is unavailable');

    await change(id, { name: 'Changed' });
    proxy.mend();
    await until(() =>
      visitUrl(`${second.url}/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await until(async () => (await at(`/status/${slug}`)).text.includes('Changed'));
    await stop(second);
    await proxy.stop();
  });

  it('is stopped by SIGTERM while it serves kept copies', async () => {
    const { slug } = await page();
    const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
    const env = { DATABASE_URL: proxy.url, DATA_DIR: directory };
    const first = await startProgram(env);
    await visitUrl(`${first.url}/status/${slug}`);
    await stop(first);
    proxy.cut();
    const second = await startProgram(env);
    second.kill('SIGTERM');
    expect([await second.exit(), second.stderr]).toEqual([0, '']);
    await proxy.stop();
  });
});
