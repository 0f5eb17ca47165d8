import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Env } from '../../../src/platform/config/env.js';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { encode } from '../../../src/page-model/page-document.js';
import { Content } from '../../../src/visitors/cache/content.js';
import type { Copy } from '../../../src/visitors/cache/copy.js';
import { SavedCopies } from '../../../src/visitors/cache/saved-copies.js';
import { Outage } from '../../../src/visitors/cache/outage.js';
import { DocumentCache } from '../../../src/visitors/cache/document-cache.js';
import type { Part } from '../../../src/page-model/parts.js';
import { until } from '../../support/server.js';
import { newSlug, useVisits, visit as visitUrl } from './use-visits.js';

const { server, page, change } = useVisits();

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-kept-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const folder = () => join(directory, 'pages');
const files = () => readdir(folder()).catch(() => []);

/** Returns a copy of a page that is not in the database. */
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

/** Returns the copies in the directory, without a server. */
const savedCopies = () =>
  new SavedCopies(Object.assign(new Env(), { DATA_DIR: directory }), server.app.get(LOGGER));

describe('SavedCopies in memory and DATA_DIR', () => {
  it('drops a copy that was rendered while the copies of its page are deleted', async () => {
    const cache = server.app.get(DocumentCache);
    const copy = copyOf(newSlug(), { kind: 'overview' });
    const { page_id: id, slug, version } = copy;
    cache.directory.add({ id, slug, owner: id, version, read_at: 0, changed_at: 0 });
    const dropped = cache.drop({ id, slug });
    cache.saved.save(copy);
    await dropped;
    await cache.saved.flush(Infinity);
    expect(cache.saved.has(slug)).toBe(false);
  });

  it('never serves a copy for another page that took over the slug', async () => {
    const [one, other] = [await page({ name: 'First' }), await page({ name: 'Second' })];
    await visitUrl(`${server.url}/status/${one.slug}`);
    await change(one.id, { slug: newSlug() });
    await change(other.id, { slug: one.slug });
    const { directory: pages, outage } = server.app.get(DocumentCache);
    const held = pages.get(one.slug);
    if (held) pages.remove(held);
    await until(async () => (await pages.find(one.slug))?.id === other.id); // unknown for 1.5 s after a lookup in between
    server.app.get(Outage).begin(new Error('away'));
    const { text } = await visitUrl(`${server.url}/status/${one.slug}`);
    outage.end();
    expect(text).not.toContain('First');
  });

  it('keeps at most 1,000 copies and does not evict the overview page for month pages', async () => {
    const saved = savedCopies();
    const slug = newSlug();
    saved.save(copyOf(slug, { kind: 'overview' }));
    await saved.flush(Infinity);
    for (let index = 0; index < 1_010; index++) {
      saved.save(copyOf(slug, { kind: 'history', month: String(index) }));
      if (index % 500 === 0) await saved.flush(Infinity);
    }
    await saved.flush(Infinity);
    expect([saved.size, (await files()).length, saved.has(slug)]).toEqual([1_000, 1_000, true]);
  });

  it('loads copies beside unreadable files and deletes old unfinished files', async () => {
    const saved = savedCopies();
    saved.save(copyOf('one', { kind: 'overview' }));
    await saved.flush(Infinity);
    await mkdir(join(folder(), 'folder.page'));
    for (const name of ['old.page.1', 'new.page.2']) await writeFile(join(folder(), name), '');
    await utimes(join(folder(), 'old.page.1'), 1, 1);
    const found = savedCopies();
    await found.load();
    expect(found.has('one')).toBe(true);
    expect((await files()).filter((name) => /^(old|new)/.test(name))).toEqual(['new.page.2']);
  });

  it('logs only the first error of the disk', async () => {
    await writeFile(folder(), 'not a directory');
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn');
    const saved = savedCopies();
    for (const slug of ['one', 'two']) {
      saved.save(copyOf(slug, { kind: 'overview' }));
      await saved.flush(Infinity);
    }
    expect(warn.mock.calls).toEqual([
      [
        { reason: expect.stringContaining(folder()) },
        'could not use DATA_DIR for copies of public pages; copies that cannot be saved stay in memory only',
      ],
    ]);
  });

  it('serves an older copy and logs the slug if a page cannot be rendered', async () => {
    const { id, slug } = await page({ name: 'Before' });
    const visit = () => visitUrl(`${server.url}/status/${slug}`);
    await visit();
    const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error');
    await server.sql('ALTER TABLE maintenances RENAME TO maintenances_away');
    try {
      await change(id, { name: 'After' });
      await until(async () => {
        expect((await visit()).text).toContain('Before');
        return error.mock.calls.length > 0;
      });
    } finally {
      await server.sql('ALTER TABLE maintenances_away RENAME TO maintenances');
    }
    expect(error.mock.calls[0]).toEqual([
      { slug, err: expect.objectContaining({ message: expect.stringContaining('maintenances') }) },
      'could not render a public page',
    ]);
    await until(async () => (await visit()).text.includes('After'));
  });
});
