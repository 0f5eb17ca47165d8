import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { DocumentCache } from '../../src/visitors/cache/document-cache.js';
import type { Words } from '../../src/page-model/languages/en/page.js';
import { WORDS } from '../../src/page-model/words.js';
import { faultsOf } from '../public-page/html-faults.js';
import { AXE, violationsOf } from './axe.js';
import { cutOff } from './cut-off.js';
import { RIGHT_TO_LEFT } from './right-to-left.js';
import { useSite } from './use-site.js';

const site = useSite();

const DEMO = '/status/acme-cloud';

/** Paths of the demo page: the overview, and one page of each other kind that it links to. */
let paths: string[];
beforeAll(async () => {
  const html = await (await fetch(site.server.url + DEMO)).text();
  const kinds = ['monitors/', 'history', 'incidents/', 'maintenances/'];
  const linked = kinds.map((kind) => new RegExp(`href="(${DEMO}/${kind}[^"]*)"`).exec(html)?.[1]);
  paths = [DEMO, ...linked.flatMap((path) => path ?? [])];
  if (paths.length <= kinds.length) throw new Error(`the demo page links only to ${paths.join(' ')}`);
});

const inLanguage = (path: string, language: string) =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;

const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

/** Visits each path at a width, with all details open. */
async function onEach(
  language: string,
  width: number,
  check: (page: Page, path: string, html: string) => Promise<void>,
) {
  const { page } = await site.open({ viewport: { width, height: 800 } });
  for (const path of paths) {
    const response = await page.goto(inLanguage(path, language), { waitUntil: 'load' });
    await openAll(page);
    await check(page, path, (await response?.text()) ?? '');
  }
}

describe('each kind of page', () => {
  it.each(LANGUAGES)('cuts nothing off at 360 px, and is valid HTML: %s', async (language) => {
    await onEach(language, 360, async (page, path, html) => {
      expect([path, await page.evaluate(() => document.documentElement.lang)]).toEqual([path, language]);
      expect([path, await cutOff(page)]).toEqual([path, []]);
      expect([path, faultsOf(html)]).toEqual([path, []]);
    });
  });

  it.each(['de', 'ja'])('passes the axe rules for WCAG 2.2 AA: %s', async (language) => {
    await onEach(language, 360, async (page, path) => {
      await page.evaluate(AXE);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    });
  });

  it('offers the other languages without the script, and marks the current one', async () => {
    const { page } = await site.visit(DEMO, { javaScriptEnabled: false });
    await page.getByRole('navigation', { name: 'Language' }).getByText('English').first().click();
    await page.getByRole('link', { name: 'Polski' }).click();
    await page.waitForURL(`**${DEMO}?lang=pl`);
    const current = page.locator('nav a[aria-current]');
    expect(await current.allTextContents()).toEqual(['Polski']);
    await page.locator('nav summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL(`**${DEMO}`);
  });
});

const { nl: NL } = WORDS;

/** Replaces Dutch on the server, which runs in this process, and drops the copies of the demo page. */
async function replaceDutch(words: Words): Promise<void> {
  WORDS.nl = words;
  const cache = site.server.app.get(DocumentCache);
  const page = cache.directory.get('acme-cloud');
  if (page) await cache.drop(page);
}

describe('a monitor of the overview', () => {
  it.each(LANGUAGES)('shows each status on one line at 1440 px: %s', async (language) => {
    const { page } = await site.visit(inLanguage(DEMO, language), { viewport: { width: 1440, height: 900 } });
    const status = page.locator('.monitor > .status').first();
    for (const word of Object.values(WORDS[language].status)) {
      const lines = await status.evaluate((element, text) => {
        element.lastChild?.replaceWith(text);
        const range = document.createRange();
        range.selectNodeContents(element.lastChild ?? element);
        return range.getClientRects().length;
      }, word);
      expect([word, lines]).toEqual([word, 1]);
    }
  });
});

describe('each kind of page in a language that is written from right to left', () => {
  beforeAll(() => replaceDutch(RIGHT_TO_LEFT));
  afterAll(() => replaceDutch(NL));

  it.each([360, 1440])('cuts nothing off and does not scroll sideways at %i px', async (width) => {
    await onEach('nl', width, async (page, path) => {
      expect([path, await page.evaluate(() => document.documentElement.dir)]).toEqual([path, 'rtl']);
      expect([path, await cutOff(page)]).toEqual([path, []]);
    });
  });

  it('begins at the right: names of monitors, the skip link, and the first day of the bars', async () => {
    const { page } = await site.visit(`${DEMO}?lang=nl`, { viewport: { width: 1440, height: 900 } });
    const middles = await page.evaluate(() => {
      const middleOf = (element: Element | null | undefined) => {
        const { left, width } = element?.getBoundingClientRect() ?? new DOMRect();
        return left + width / 2;
      };
      const row = document.querySelector('.monitor');
      return {
        name: middleOf(row?.querySelector('bdi')),
        status: middleOf(row?.querySelector('.status')),
      };
    });
    expect(middles.name).toBeGreaterThan(middles.status);
    const mirrored = await page.evaluate(() => {
      const bars = document.querySelector('svg.bars');
      return bars && getComputedStyle(bars).scale;
    });
    expect(mirrored).toBe('-1 1');
  });
});
