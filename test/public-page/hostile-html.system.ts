import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { plainName } from '../../src/page-model/plain-text.js';
import { useTenant, useTestServer } from '../support/server.js';
import { Author, FINE } from './html-examples.js';
import { faultsOf } from './html-faults.js';
import { HEAVY_MARKDOWN, HOSTILE_TEXTS } from './html-hostile.js';

/** Maximum render time of a page with the heaviest Markdown on a slow machine. */
const MAX_MS = 5_000;

const server = useTestServer();
const tenant = useTenant(server);
let author: Author;
beforeAll(() => {
  author = new Author(server, tenant);
});

async function htmlOf(path: string): Promise<string> {
  const response = await fetch(`${server.url}/status/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

/** Returns a text in HTML, with tags and entities visible. */
const asHtml = (text: string) =>
  plainName(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Creates a page with one text in all names and descriptions. Returns the paths of all its parts. */
async function pageOf(slug: string, text: string): Promise<string[]> {
  const monitor = await author.monitor(text, FINE, text);
  const page = await author.page(slug, {
    name: text,
    description: text,
    sections: [{ id: 'one', title: text, monitor_ids: [monitor] }],
  });
  const status_page_ids = [page];
  const incident = await author.incident({
    title: text,
    updates: [
      {
        ago: 9,
        status: 'investigating',
        body: `${text}\n\nThe end.`,
        monitors: { [monitor]: 'partial_outage' },
      },
    ],
    postmortem: `The start.\n\n${text}`,
    status_page_ids,
  });
  const fields = { body: text, monitor_ids: [monitor], status_page_ids };
  const maintenance = await author.maintenance(text, [60, 120], fields, [text]);
  const parts = [
    '',
    '/history',
    `/monitors/${monitor}`,
    `/incidents/${incident}`,
    `/maintenances/${maintenance}`,
  ];
  return parts.map((part) => slug + part);
}

describe('a hostile text', () => {
  const texts = HOSTILE_TEXTS.map((text, index) => ({ text, slug: `hostile-${index}` }));
  it.each(texts)('appears as text in valid HTML in all names and texts: $text', async ({ text, slug }) => {
    for (const path of await pageOf(slug, text)) {
      const html = await htmlOf(path);
      expect({ path, faults: faultsOf(html) }).toEqual({ path, faults: [] });
      expect(html).toContain(asHtml(text));
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html).not.toMatch(/<(img|iframe|object|base|form|input|meta http-equiv|plaintext|template)\b/);
      for (const [, url] of html.matchAll(/href="([^"]*)"/g))
        expect(url).toMatch(/^(\/|#|https?:|mailto:|data:image\/svg)/);
    }
  });

  it('appears as text for any characters', async () => {
    let count = 0;
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((one) => one.isWellFormed() && !one.includes('\0') && !/^[\p{White_Space}\ufeff]*$/u.test(one));
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const [overview = '', , monitor = '', incident = ''] = await pageOf(`any-${(count += 1)}`, one);
        for (const path of [overview, monitor, incident]) {
          const html = await htmlOf(path);
          expect(faultsOf(html)).toEqual([]);
          expect(html).toContain(asHtml(one));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('a postmortem of 50,000 characters', () => {
  const cases = Object.entries(HEAVY_MARKDOWN).map(([name, postmortem], index) => ({
    name,
    postmortem,
    slug: `heavy-${index}`,
  }));
  it.each(cases)('appears within seconds: $name', async ({ postmortem, slug }) => {
    const status_page_ids = [await author.page(slug, { name: 'Heavy' })];
    const updates = [{ ago: 9, status: 'resolved', body: 'It was long.' }];
    const incident = await author.incident({ title: 'Long', updates, postmortem, status_page_ids });
    const started = performance.now();
    const html = await htmlOf(`${slug}/incidents/${incident}`);
    expect(performance.now() - started).toBeLessThan(MAX_MS);
    expect(html).toContain('It was long.');
    expect(html).toMatch(/<\/html>$/);
  });
});
