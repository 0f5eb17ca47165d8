import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { useTenant, useTestServer } from '../support/server.js';

const URL_OF_EXPORT = 'https://static.example/status';
const MARKER = '.status-pages-export.json';

const server = useTestServer();
const tenant = useTenant(server);

let directory: string;
let out: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-export-'));
  out = join(directory, 'out');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The files of a directory, by their paths with `/`, sorted. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .toSorted();
}

async function exportPage(
  page: string,
  ...options: string[]
): Promise<{ files: number; bytes: number; out: string }> {
  const { code, stdout, stderr } = await server.cli('export', page, '--out', out, ...options);
  expect([code, stderr]).toEqual([0, stderr]);
  return JSON.parse(stdout);
}

/** An export that must fail with an error message and leave no file beside the directory. */
async function expectFault(line: RegExp, ...parameters: string[]): Promise<void> {
  const { code, stdout, stderr } = await server.cli('export', ...parameters);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.replace(/^database: .*\n/, '')).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(line);
  expect((await readdir(directory)).filter((name) => name !== 'out')).toEqual([]);
}

async function create(path: string, json: object): Promise<string> {
  const fields = { project_id: tenant.project_id, ...json };
  const { status, body } = await server.ask(path, { method: 'POST', key: tenant.key, json: fields });
  expect(status).toBe(201);
  return body.data.id;
}

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/**
 * A private status page with content in each part: an open incident, an old one, and an upcoming maintenance window.
 */
async function fullPage(): Promise<{
  page: StatusPageDto;
  monitor: string;
  incidents: string[];
  maintenance: string;
}> {
  const [monitor = ''] = await server.monitors(tenant, 1);
  const page = await server.page(tenant, {
    is_public: false,
    sections: [{ id: 'core', title: 'Core', monitor_ids: [monitor] }],
  });
  const affecting = { body: 'We look.', monitors: [{ monitor_id: monitor, status: 'major_outage' }] };
  const open = await create('/v1/incidents', { title: 'Open', ...affecting });
  const old = await create('/v1/incidents', { title: 'Old', ...affecting, started_at: at(-24 * 100) });
  await server.ask(`/v1/incidents/${old}/updates`, {
    method: 'POST',
    key: tenant.key,
    json: { status: 'resolved', body: 'Fixed.', posted_at: at(-24 * 100 + 1) },
  });
  const maintenance = await create('/v1/maintenances', {
    title: 'Ahead',
    starts_at: at(1),
    ends_at: at(2),
    monitor_ids: [monitor],
  });
  return { page, monitor, incidents: [open, old], maintenance };
}

/** Each reference of an HTML document: the values of `href` and `src`. */
const referencesIn = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

/** The file at an address of the export. */
function fileAt(url: string): string {
  const path = new URL(url).pathname.slice(new URL(URL_OF_EXPORT).pathname.length + 1);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

describe('cli export', () => {
  describe('of a private page', () => {
    let made: Awaited<ReturnType<typeof fullPage>>;
    beforeAll(async () => {
      made = await fullPage();
    });

    it('writes a file for each part and prints their number', async () => {
      const { page, monitor, incidents, maintenance } = made;
      const result = await exportPage(page.slug, '--url', URL_OF_EXPORT);
      const found = (await filesIn(out)).filter((path) => path !== MARKER);
      const month = (time: string) => time.slice(0, 7);
      const months = new Set([month(at(0)), month(at(-24 * 100)), month(at(1)), month(at(2))]);
      const wanted = [
        '404.html',
        'api/v2/components.json',
        'api/v2/incidents.json',
        'api/v2/incidents/unresolved.json',
        'api/v2/scheduled-maintenances.json',
        'api/v2/scheduled-maintenances/active.json',
        'api/v2/scheduled-maintenances/upcoming.json',
        'api/v2/status.json',
        'api/v2/summary.json',
        'assets/page.js',
        'badge.json',
        'badge.svg',
        'feed.atom',
        'feed.json',
        'feed.rss',
        'index.html',
        'maintenance.ics',
        'og-image.png',
        `monitors/${monitor}/index.html`,
        `maintenances/${maintenance}/index.html`,
        ...incidents.map((id) => `incidents/${id}/index.html`),
        ...[...months].map((one) => `history/${one}/index.html`),
      ];
      expect(found).toEqual(wanted.toSorted());
      const sizes = await Promise.all(found.map(async (path) => (await stat(join(out, path))).size));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect(result).toEqual({ files: found.length, bytes, out });
    });

    it('writes working relative links in each document', async () => {
      await exportPage(made.page.id, '--url', URL_OF_EXPORT);
      const found = new Set(await filesIn(out));
      let links = 0;
      for (const path of found) {
        if (!path.endsWith('.html')) continue;
        const html = await readFile(join(out, path), 'utf8');
        for (const reference of referencesIn(html)) {
          const [target = ''] = reference.split('#');
          if (target === '' || /^(mailto|data):/.test(target)) continue;
          const isAbsolute = /^https?:/.test(target);
          if (isAbsolute && !target.startsWith(`${URL_OF_EXPORT}/`)) continue;
          expect(target).not.toMatch(/^\//); // a path from the root does not work in a subdirectory
          const file = isAbsolute ? fileAt(target) : posix.join(posix.dirname(path), target);
          expect([path, reference, found.has(file)]).toEqual([path, reference, true]);
          links += 1;
        }
        expect(html).not.toMatch(/\/status\/[a-z0-9-]+\/(incidents|monitors|history)/);
      }
      expect(links).toBeGreaterThan(30);
    });

    it('writes working absolute links in feeds and documents', async () => {
      await exportPage(made.page.slug, '--url', `${URL_OF_EXPORT}/`);
      const found = new Set(await filesIn(out));
      let links = 0;
      for (const path of found) {
        if (!/\.(rss|atom|json|ics)$/.test(path) || path === MARKER) continue;
        const text = (await readFile(join(out, path), 'utf8')).replaceAll('\r\n ', '');
        expect(text).not.toContain('localhost');
        for (const [url] of text.matchAll(/https:\/\/static\.example\/[^"<>\s\\#&]*/g)) {
          expect([path, url, found.has(fileAt(url))]).toEqual([path, url, true]);
          links += 1;
        }
      }
      expect(links).toBeGreaterThan(10);
    });

    it('writes the Content-Security-Policy into each document', async () => {
      await exportPage(made.page.slug);
      for (const path of await filesIn(out)) {
        if (!path.endsWith('.html')) continue;
        const html = await readFile(join(out, path), 'utf8');
        const [, policy = ''] =
          /^<!doctype html><html[^>]*><head><meta http-equiv="Content-Security-Policy" content="([^"]*)"/i.exec(
            html,
          ) ?? [];
        expect(policy).toMatch(/^default-src 'none';style-src 'self' 'sha256-[^']+';/);
        expect(policy).not.toContain('frame-ancestors');
      }
    });
  });

  it('links to PUBLIC_URL by default', async () => {
    const page = await server.page(tenant);
    await exportPage(page.slug);
    expect(await readFile(join(out, 'api/v2/summary.json'), 'utf8')).toContain('http://localhost:');
  });

  it('omits hidden content of the page', async () => {
    const { page } = await fullPage();
    const settings = { show_history: false, rss_enabled: false };
    await server.ask(`/v1/status-pages/${page.id}/settings`, {
      method: 'PATCH',
      key: tenant.key,
      json: settings,
    });
    await exportPage(page.slug);
    const found = await filesIn(out);
    expect(found.filter((path) => /^(feed|maintenance\.ics|history|monitors)/.test(path))).toEqual([]);
    expect(found).toContain('index.html');
  });

  it('replaces a former export, including files that no longer exist', async () => {
    const { page, incidents } = await fullPage();
    await exportPage(page.slug);
    const gone = `incidents/${incidents[0]}/index.html`;
    expect(await filesIn(out)).toContain(gone);
    await server.ask(`/v1/incidents/${incidents[0]}`, { method: 'DELETE', key: tenant.key });
    await server.patch(tenant, page.id, { name: 'Renamed' });
    await exportPage(page.slug);
    expect(await filesIn(out)).not.toContain(gone);
    expect(await readFile(join(out, 'index.html'), 'utf8')).toContain('Renamed');
    expect(await readdir(directory)).toEqual(['out']);
  });

  it('writes to an empty directory, through a link, and below missing directories', async () => {
    const page = await server.page(tenant);
    await mkdir(join(directory, 'real'));
    await symlink('real', out);
    expect((await exportPage(page.slug)).out).toBe(join(directory, 'real'));
    expect(await filesIn(join(directory, 'real'))).toContain('index.html');
    out = join(directory, 'a/b/c');
    await exportPage(page.slug);
    expect(await filesIn(out)).toContain('index.html');
  });

  it('never deletes or overwrites files of others', async () => {
    const page = await server.page(tenant);
    await mkdir(out);
    await writeFile(join(out, 'mine.txt'), 'mine');
    await expectFault(/contains mine\.txt, which is not part of an export/, page.slug, '--out', out);
    expect(await readFile(join(out, 'mine.txt'), 'utf8')).toBe('mine');

    await rm(join(out, 'mine.txt'));
    await exportPage(page.slug);
    await mkdir(join(out, 'folder/empty'), { recursive: true });
    const before = await filesIn(out);
    await expectFault(/contains folder/, page.slug, '--out', out);
    await rm(join(out, 'folder'), { recursive: true });
    await writeFile(join(out, 'CNAME'), 'status.example');
    await expectFault(/contains CNAME/, page.slug, '--out', out);
    expect(await filesIn(out)).toEqual([...before, 'CNAME'].toSorted());

    // A forged marker that lists other files does not make them deletable.
    await rm(join(out, 'CNAME'));
    const outside = join(directory, 'outside.txt');
    await writeFile(outside, 'mine');
    const marker = JSON.parse(await readFile(join(out, MARKER), 'utf8'));
    marker.files.push('../outside.txt', outside);
    await writeFile(join(out, MARKER), JSON.stringify(marker));
    await exportPage(page.slug);
    expect(await readFile(outside, 'utf8')).toBe('mine');
  });

  it('keeps the former export if it fails', async () => {
    const page = await server.page(tenant);
    await exportPage(page.slug);
    const before = await readFile(join(out, 'index.html'), 'utf8');
    await server.sql('ALTER TABLE incidents RENAME TO hidden');
    try {
      await expectFault(/./, page.slug, '--out', out);
    } finally {
      await server.sql('ALTER TABLE hidden RENAME TO incidents');
    }
    expect(await readFile(join(out, 'index.html'), 'utf8')).toBe(before);
  });

  it('rejects an unknown page, an unusable directory, and an invalid URL', async () => {
    const page = await server.page(tenant);
    await expectFault(/status page no-such-page does not exist/, 'no-such-page', '--out', out);
    await expectFault(/status page .* does not exist/, crypto.randomUUID(), '--out', out);
    await expectFault(/must be a URL/, page.slug, '--out', out, '--url', 'static.example');
    await expectFault(/'--out <directory>' not specified/, page.slug);
    await writeFile(out, 'a file');
    await expectFault(/cannot be written: ENOTDIR/, page.slug, '--out', out);
    expect(await readFile(out, 'utf8')).toBe('a file');
    if (process.getuid?.() === 0) return; // root can write everywhere
    await chmod(directory, 0o500);
    await expectFault(/cannot be written: EACCES/, page.slug, '--out', join(directory, 'other'));
    await chmod(directory, 0o700);
  });
});
