import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Env } from '../../../src/platform/config/env.js';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { SavedCopies } from '../../../src/visitors/cache/saved-copies.js';
import { PageVersions } from '../../../src/visitors/cache/page-versions.js';
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
/** The complete files. Others have another name. */
const files = async () => (await readdir(folder()).catch(() => [])).filter((name) => name.endsWith('.page'));

/** A page without its times, because it is rendered again when a minute ends, also between a visit and the copy. */
const withoutTimes = (html: string) => html.replaceAll(/datetime="[^"]*"|\d\d:\d\d/g, '');

/** Runs a server with its own data directory on the shared database. */
async function withServer(use: (own: TestServer) => Promise<void>, env: Record<string, string> = {}) {
  const own = await TestServer.start({ ...server.databaseEnv, DATA_DIR: directory, ...env });
  await use(own).finally(() => own.stop());
}

describe('SavedCopies in DATA_DIR', () => {
  it('writes one private file per part', async () => {
    const { slug } = await page();
    await withServer(async (own) => {
      for (const path of [slug, slug, `${slug}/feed.rss`, `${slug}?utm=1`])
        await visitUrl(`${own.url}/status/${path}`);
      await until(async () => (await files()).length === 2);
      expect((await stat(folder())).mode & 0o777).toBe(0o700);
      for (const name of await files()) expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    });
  });

  it('deletes the copies of a page that becomes private, even of an earlier process', async () => {
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

  it('deletes the copy on disk before the copy in memory', async () => {
    const { id, slug } = await page();
    expect.assertions(2); // one for the change, one for the files
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

  it('ignores copies that are damaged, older than a day, or of another database', async () => {
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
      const kept = own.app.get(SavedCopies);
      expect(await kept.find(slugs.get(damaged) ?? '')).toBeUndefined();
      expect(await kept.find(slugs.get(old) ?? '')).toBeUndefined();
      expect((await kept.find(slugs.get(good) ?? ''))?.slug).toBe(slugs.get(good));
    });
    const env = Object.assign(new Env(), {
      DATABASE_URL: 'postgres://127.0.0.1/another',
      DATA_DIR: directory,
    });
    const foreign = new SavedCopies(env, server.app.get(LOGGER));
    await foreign.load();
    expect(foreign.size).toBe(0);
  });

  it('serves visitors if the file system is read-only', { tags: ['mount'] }, async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', directory]);
    const { slug } = await page();
    const visitTwice = async (own: TestServer) => {
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
      await own.app.get(SavedCopies).flush(Infinity);
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
    };
    await withServer(visitTwice).finally(() => execFileSync('umount', [directory]));
  });

  it('serves visitors if its directory is a file', async () => {
    await writeFile(folder(), '');
    const { slug } = await page();
    await withServer(async (own) => {
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
      await own.app.get(SavedCopies).flush(Infinity);
      expect((await visitUrl(`${own.url}/status/${slug}`)).status).toBe(200);
    });
  });
});

describe('startup without the database', { tags: ['postgres'] }, () => {
  it('serves saved copies, returns 503 otherwise, and recovers with the database', async () => {
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
    expect([copy.status, withoutTimes(copy.text)]).toEqual([200, withoutTimes(text)]);
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
    expect(second.stdout).toContain('serves only saved copies because the database is unavailable');

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

  it('serves the saved copy of HOME_PAGE at /, and redirects to it', async () => {
    const { slug } = await page({ name: 'Kept' });
    const proxy = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
    const env = { DATABASE_URL: proxy.url, DATA_DIR: directory, HOME_PAGE: slug };
    const first = await startProgram(env);
    const { text } = await visitUrl(`${first.url}/`);
    await visitUrl(`${first.url}/status/${slug}/feed.rss`);
    await stop(first);
    expect(await files()).toHaveLength(2);

    proxy.cut();
    const second = await startProgram(env);
    for (const [path, method] of [
      ['/', 'GET'],
      ['/?utm=1', 'GET'],
      ['/', 'HEAD'],
    ] as const) {
      const copy = await visitUrl(second.url + path, {}, method);
      expect([path, copy.status, copy.text]).toEqual([path, 200, method === 'GET' ? text : '']);
    }
    for (const [path, location] of [
      [`/status/${slug}`, '/'],
      [`/status/${slug}/?utm=1`, '/?utm=1'],
      [`/STATUS/${slug}/FEED.rss`, `/status/${slug}/feed.rss`],
    ]) {
      const { status, headers } = await visitUrl(`${second.url}${path}`);
      expect([path, status, headers['location']]).toEqual([path, 308, location]);
    }
    expect((await visitUrl(`${second.url}/`, {}, 'POST')).status).toBe(503);
    await stop(second);

    const other = await startProgram({ ...env, HOME_PAGE: newSlug() });
    const absent = await visitUrl(`${other.url}/`);
    expect([absent.status, absent.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    await stop(other);
    await proxy.stop();
  });

  it('stops on SIGTERM while it serves saved copies', async () => {
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
