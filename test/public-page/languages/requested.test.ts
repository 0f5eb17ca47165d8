import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/branding/languages.js';
import { Env } from '../../../src/platform/config/env.js';
import { PublicUrl } from '../../../src/platform/config/public-url.js';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { ServerExpressAdapter } from '../../../src/platform/server/express-adapter.js';
import { RequestLog } from '../../../src/platform/server/request-log.js';
import { SavedCopies } from '../../../src/visitors/cache/saved-copies.js';
import { StandbyServer } from '../../../src/visitors/cache/standby-server.js';
import { TestServer } from '../../support/server.js';
import { renderingsIn, visitorStatementsOf, withinMinute } from '../cache/use-visits.js';
import { partsOf, useVisits } from '../use-visits.js';

const { server, monitorIn, incident, maintenance, send, visit, pageOf } = useVisits();

let slug: string;
let parts: string[];

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  // Not just now, because statuses of less than a second are left out.
  const started_at = new Date(Date.now() - 60_000).toISOString();
  const fields = { body: undefined, status: 'identified', started_at };
  const { id } = await incident({ [monitor]: 'partial_outage' }, fields);
  parts = partsOf({
    monitor,
    incident: id,
    maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }),
  });
  ({ slug } = await pageOf([monitor]));
});

const withLanguage = (path: string, language: string) =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;

const isPage = ({ headers }: { headers: Headers }) => headers.get('content-type')?.startsWith('text/html');

const textOf = async (path: string) => {
  const { status, text } = await visit(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
};

describe('GET /status/{slug}?lang=de', () => {
  it('shows every page in German, with links that keep the language', async () => {
    for (const part of parts) {
      const found = await visit(withLanguage(slug + part, 'de'));
      if (!isPage(found)) continue;
      expect([part, found.text]).toEqual([part, expect.stringMatching(/^<!DOCTYPE html><html lang="de">/)]);
      const hrefs = [...found.text.matchAll(/<a [^>]*?href="([^"#][^"]*)"[^>]*>/g)];
      const others = hrefs.filter(([tag]) => !tag.includes('hreflang'));
      expect([part, others.length]).toEqual([part, expect.toSatisfy((n) => n > (part === '/embed' ? 0 : 3))]);
      for (const [, href] of others) expect(href).toMatch(/[?&;]lang=de$/);
    }
  });

  it('names itself as canonical, and every language and the page in its own as alternate', async () => {
    const base = `${server.app.get(PublicUrl).value}/status/${slug}`;
    const text = await textOf(`${slug}?lang=de`);
    expect(text).toContain(`<link rel="canonical" href="${base}?lang=de"/>`);
    expect(text).toContain(`<meta property="og:url" content="${base}?lang=de"/>`);
    const alternates = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)];
    expect(alternates.map(([, language, href]) => [language, href])).toEqual([
      ...LANGUAGES.map((one) => [one, one === 'en' ? base : `${base}?lang=${one}`]),
      ['x-default', base],
    ]);
    const month = new Date().toISOString().slice(0, 7);
    expect(await textOf(`${slug}/history?lang=de`)).toContain(
      `<link rel="canonical" href="${base}/history?month=${month}&amp;lang=de"/>`,
    );
  });

  it('translates feeds, the calendar and badges, but not api/v2', async () => {
    expect(await textOf(`${slug}/feed.atom?lang=de`)).toContain('xml:lang="de"');
    expect(await textOf(`${slug}/feed.rss?lang=de`)).toContain('<language>de</language>');
    const json = await textOf(`${slug}/feed.json?lang=de`);
    expect(json).toContain('"language":"de"');
    expect(json).toContain('Die Ursache wurde gefunden.');
    expect(await textOf(`${slug}/maintenance.ics?lang=de`)).toContain('NAME:Wartungen: ');
    expect(await textOf(`${slug}/badge.json?lang=de`)).toContain('"message":"Teilausfall"');
    expect(await textOf(`${slug}/badge.svg?lang=de`)).toContain('Teilausfall');
    for (const part of parts.filter((one) => one.includes('/api/v2/')))
      expect(await textOf(`${slug}${part}?lang=de`)).toBe(await textOf(slug + part));
  });

  it('keeps the IDs of feed entries, so that readers do not show them again', async () => {
    interface Feed {
      items: { id: string; url: string }[];
    }
    const [own, other]: Feed[] = [
      JSON.parse(await textOf(`${slug}/feed.json`)),
      JSON.parse(await textOf(`${slug}/feed.json?lang=de`)),
    ];
    expect(own?.items.length).toBeGreaterThan(1);
    expect(other?.items.map(({ id }) => id)).toEqual(own?.items.map(({ id }) => id));
    for (const { url } of other?.items ?? []) expect(url).toContain('?lang=de');
  });

  it('translates an update without a text of its own, and no other texts', async () => {
    const [german, english] = [await textOf(`${slug}?lang=de`), await textOf(slug)];
    expect(english).toContain('The cause has been identified.');
    expect(german).toContain('Die Ursache wurde gefunden.');
    expect(german).not.toContain('The cause has been identified.');
    expect(german).toContain('Errors'); // title of the incident
  });

  it('links to each language, and marks the current one', async () => {
    const text = await textOf(`${slug}?lang=ja`);
    const links = [...text.matchAll(/<a href="([^"]+)" lang="(\w+)" hreflang="\w+"([^>]*)>([^<]+)</g)];
    expect(links.map(([, href, language]) => [language, href])).toEqual(
      LANGUAGES.map((one) => [one, `/status/${slug}${one === 'en' ? '' : `?lang=${one}`}`]),
    );
    expect(links.filter(([, , , more]) => more !== '').map(([, , , more, name]) => [more, name])).toEqual([
      [' aria-current="true"', '日本語'],
    ]);
  });

  it('keeps the language and the token in a preview', async () => {
    const { id, slug: own } = await pageOf([], { is_public: false });
    const { body } = await send<{ data: { url: string } }>(
      'POST',
      `/v1/status-pages/${id}/preview-links`,
      {},
    );
    const { search } = new URL(body.data.url);
    const text = await textOf(`${own}${search}&lang=de`);
    expect(text).toContain('<html lang="de">');
    const token = search.slice(1);
    expect(text).toContain(`href="/status/${own}?lang=de&amp;${token}"`);
    expect(text).toContain(`href="/status/${own}?lang=fr&amp;${token}" lang="fr"`);
    expect(text).toContain(`href="/status/${own}?${token}" lang="en"`);
    expect((await visit(`${own}?lang=de`)).status).toBe(404);
  });

  it('returns the same 404 page in English', async () => {
    const [found, unknown] = [await visit('no-such-page?lang=de'), await visit('no-such-page')];
    expect([found.status, found.text]).toEqual([404, unknown.text]);
  });

  it('ignores Accept-Language', async () => {
    const { text } = await visit(slug, { headers: { 'accept-language': 'de' } });
    expect(text).toBe((await visit(slug)).text);
    expect(text).toContain('<html lang="en">');
  });
});

describe('the language of the page in the query', () => {
  it('returns the same document as without it, except for the time of reading and durations', () =>
    withinMinute(async () => {
      const timeless = ({ text }: { text: string }) =>
        text.replaceAll(/\d\d:\d\d\.\d{3}Z|\d+\s(?:s|min)\b/g, '');
      expect((await visit(slug + parts[1])).text).toContain('<path class="partial"');
      for (const part of parts) {
        const [own, same] = [await visit(slug + part), await visit(withLanguage(slug + part, 'en'))];
        expect([part, timeless(same)]).toEqual([part, timeless(own)]);
        if (!isPage(own)) expect([part, same.headers.get('etag')]).toEqual([part, own.headers.get('etag')]);
      }
    }));
});

describe('the cache', () => {
  it.each([
    '?lang=xx',
    '?lang=',
    '?lang=DE',
    '?lang=de&lang=fr',
    '?lang=de&lang=de',
    '?lang[]=de',
    '?langs=de',
  ])('shares the copy of the page for an unknown or repeated language: %s', (query) =>
    withinMinute(async () => {
      const own = await visit(slug);
      const statements = await visitorStatementsOf(async () => {
        const found = await visit(slug + query);
        expect([found.status, found.text]).toEqual([200, own.text]);
      });
      expect(statements).toEqual([]);
    }),
  );

  it('stores one copy for a language, with any other parameters', () =>
    withinMinute(async () => {
      const { slug: own } = await pageOf([]);
      const rendered = async (path: string) =>
        renderingsIn(
          await visitorStatementsOf(async () => expect(await textOf(path)).toContain('lang="fr"')),
        );
      expect(await rendered(`${own}?lang=fr`)).toBe(1);
      for (const query of ['?lang=fr', '?utm=1&lang=fr', '?lang=fr&utm=1', '?lang=f%72'])
        expect([query, await rendered(own + query)]).toEqual([query, 0]);
      expect(await rendered(`${own}/history?lang=fr`)).toBe(1);
      expect(await rendered(`${own}/history?utm=1&lang=fr`)).toBe(0);
    }));

  it('responds before Express with the copy of a language', async () => {
    const adapter = server.app.getHttpAdapter();
    if (!(adapter instanceof ServerExpressAdapter)) throw new Error('another adapter');
    const { respondFirst } = adapter;
    const responded: boolean[] = [];
    adapter.respondFirst = (request, response) => {
      const hasResponded = respondFirst(request, response);
      responded.push(hasResponded);
      return hasResponded;
    };
    const paths = [
      `${slug}?lang=nl`,
      `${slug}/feed.rss?utm=1&lang=nl`,
      `${slug}/api/v2/summary.json?lang=nl`,
    ];
    try {
      for (const path of [...paths, ...paths]) await visit(path);
      expect(responded.slice(paths.length)).toEqual(paths.map(() => true));
    } finally {
      adapter.respondFirst = respondFirst;
    }
  });
});

describe('HOME_PAGE', () => {
  it('appears in another language at /?lang=de', async () => {
    const { slug: home } = await pageOf([], { name: 'Home' });
    const own = await TestServer.start({ ...server.databaseEnv, HOME_PAGE: home });
    try {
      for (let round = 0; round < 2; round++) {
        const text = await (await fetch(`${own.url}/?utm=1&lang=de`)).text();
        expect(text).toContain('<html lang="de">');
        expect(text).toContain(`<link rel="canonical" href="${own.app.get(PublicUrl).value}/?lang=de"/>`);
        expect(text).toContain('href="/?lang=fr" lang="fr"');
        expect(text).toContain(`href="/status/${home}/feed.rss?lang=de"`);
      }
      const moved = await fetch(`${own.url}/status/${home}?lang=de`, { redirect: 'manual' });
      expect([moved.status, moved.headers.get('location')]).toEqual([308, '/?lang=de']);
    } finally {
      await own.stop();
    }
  });
});

describe('StandbyServer', () => {
  it('serves saved copies in the requested language', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-languages-'));
    const own = await TestServer.start({ ...server.databaseEnv, DATA_DIR: directory });
    const paths = ['', '?lang=de', '/history', '/history?lang=de', '/api/v2/summary.json'];
    try {
      for (const path of paths) expect((await fetch(`${own.url}/status/${slug}${path}`)).status).toBe(200);
      await own.app.get(SavedCopies).flush(Infinity);
    } finally {
      await own.stop();
    }
    const logger = server.app.get(LOGGER);
    const env = Object.assign(new Env(), own.app.get(Env), { DATA_DIR: directory });
    const saved = new SavedCopies(env, logger);
    await saved.load();
    expect(saved.size).toBe(paths.length);
    const standby = new StandbyServer(saved, logger, server.app.get(RequestLog), env);
    const base = `http://127.0.0.1:${await standby.listen(0, '127.0.0.1')}/status/${slug}`;
    try {
      const languageOf = async (path: string) =>
        /<html lang="(\w+)"/.exec(await (await fetch(base + path)).text())?.[1];
      expect(await languageOf('?utm=1')).toBe('en');
      expect(await languageOf('?utm=1&lang=de')).toBe('de');
      expect(await languageOf('/history?lang=de')).toBe('de');
      expect(await languageOf('/history?lang=xx')).toBe('en');
      expect((await fetch(`${base}/api/v2/summary.json?lang=de`)).status).toBe(200);
      expect((await fetch(`${base}?lang=fr`)).status).toBe(503);
    } finally {
      await standby.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
