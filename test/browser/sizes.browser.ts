import { statSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { INCIDENTS } from '../../src/demo/demo-plan.js';
import { PARTIAL_OUTAGE } from '../public-page/html-examples.js';
import { useSite } from './use-site.js';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 390, height: 664 };

const DEMO_INCIDENT = INCIDENTS.at(-1);

/** Slugs of overviews, each with another headline. */
const HEADLINES = [
  'healthy',
  'partial-outage',
  'in-maintenance',
  'silent',
  'new',
  'on-fire',
  'acme-cloud',
  'empty',
];

const MAX_STYLESHEET_BYTES = 12_288;
const MAX_COMPRESSED_BYTES = 10_000;

const site = useSite();

/** Returns whether the first window of the page contains the whole element. */
async function isInFirstWindow(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  return (
    box !== null &&
    (await element.isVisible()) &&
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height
  );
}

const heightOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);

describe('the headline of a page', () => {
  it.each([
    ['32 px in a window of 1440 px', DESKTOP, 32],
    ['24 px in a window of 390 px', PHONE, 24],
  ])('takes a font size of at most %s', async (_, viewport, most) => {
    const found: Record<string, number> = {};
    for (const slug of HEADLINES) {
      const { page } = await site.visit(`/status/${slug}`, { viewport });
      found[slug] = await page
        .locator('h1')
        .evaluate((headline) => Number.parseFloat(getComputedStyle(headline).fontSize));
      await page.context().close();
    }
    expect(Object.values(found).every((size) => size >= 16)).toBe(true);
    expect(Object.entries(found).filter(([, size]) => size > most)).toEqual([]);
  });
});

describe('a page with an open incident', () => {
  /** Returns the first three monitors of a page that its first window does not show. */
  async function missingIn(slug: string): Promise<string[]> {
    const { page } = await site.visit(`/status/${slug}`, { viewport: DESKTOP });
    const missing: string[] = [];
    for (const [index, name] of ['Website', 'API', 'Dashboard'].entries()) {
      const row = page.locator('.monitor').nth(index);
      const isNamed = (await row.textContent())?.includes(name) === true;
      if (!isNamed || !(await isInFirstWindow(page, row))) missing.push(name);
    }
    return missing;
  }

  it.each(['acme-cloud', 'partial-outage'])(
    'shows three monitors of the first section in the first window of 1440 × 900 px: %s',
    async (slug) => {
      expect(await missingIn(slug)).toEqual([]);
    },
  );

  it.each([
    ['partial-outage', PARTIAL_OUTAGE.title, PARTIAL_OUTAGE.newest],
    ['acme-cloud', DEMO_INCIDENT?.title ?? '', DEMO_INCIDENT?.updates.at(-1)?.body ?? ''],
  ])(
    'shows its title and newest update in the first window of 390 × 664 px: %s',
    async (slug, title, newest) => {
      const { page } = await site.visit(`/status/${slug}`, { viewport: SMALL_PHONE });
      expect(await isInFirstWindow(page, page.getByRole('heading', { level: 1 }))).toBe(true);
      expect(await isInFirstWindow(page, page.getByRole('heading', { name: title }))).toBe(true);
      expect(await isInFirstWindow(page, page.getByText(newest))).toBe(true);
    },
  );
});

describe('the header of a page', () => {
  it.each(HEADLINES)('takes at most 96 px of height in a window of 390 px: %s', async (slug) => {
    const { page } = await site.visit(`/status/${slug}`, { viewport: PHONE });
    const height = await page.locator('header').evaluate((header) => header.getBoundingClientRect().height);
    expect(height).toBeGreaterThan(30);
    expect(height).toBeLessThanOrEqual(96);
    await page.context().close();
  });

  it('shows the accent color only as a stripe of 4 px', async () => {
    for (const slug of HEADLINES) {
      const { page } = await site.visit(`/status/${slug}`, { viewport: DESKTOP });
      const styles = await page.locator('header').evaluate((header) => {
        const { backgroundColor, borderTopWidth, borderTopColor } = getComputedStyle(header);
        return {
          backgroundColor,
          borderTopWidth,
          isColored: borderTopColor !== getComputedStyle(header).color,
        };
      });
      expect(styles).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', borderTopWidth: '4px', isColored: true });
      await page.context().close();
    }
  });
});

describe('the rows of monitors', () => {
  it.each([
    ['1440 px', DESKTOP, 33],
    ['390 px', PHONE, 58],
  ])('keep one height and their signs on one line in a window of %s', async (_, viewport, most) => {
    for (const slug of ['acme-cloud', 'partial-outage', 'new']) {
      const { page } = await site.visit(`/status/${slug}`, { viewport });
      const found = await page.evaluate(() => {
        const rows = [...document.querySelectorAll('.monitor')].filter((row) => row.checkVisibility());
        const signs = [...document.querySelectorAll('summary > .status svg, .monitor > .status svg')];
        return {
          heights: [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))],
          lines: [
            ...new Set(
              signs
                .filter((sign) => sign.checkVisibility())
                .map((sign) => Math.round(sign.getBoundingClientRect().x)),
            ),
          ],
        };
      });
      expect([slug, found]).toEqual([slug, { heights: [expect.any(Number)], lines: [expect.any(Number)] }]);
      expect(found.heights[0]).toBeLessThanOrEqual(most);
      await page.context().close();
    }
  });

  it('keep one height in a window of 390 px with a long status and a percentage that expands', async () => {
    const { page } = await site.visit('/status/acme-cloud', { viewport: PHONE });
    await page.locator('.percent summary').evaluateAll((all) => {
      for (const one of all) one.textContent = '99.98%';
    });
    const heights = await page
      .locator('.monitor')
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(new Set(heights).size).toBe(1);
  });

  it('take at most 200 px of height in a window of 390 px with a name of 200 characters', async () => {
    const { page } = await site.visit('/status/long', { viewport: PHONE });
    const rows = await page.locator('.monitor').evaluateAll((all) =>
      all.map((row) => ({
        letters: row.querySelector('bdi')?.textContent.length,
        height: row.getBoundingClientRect().height,
      })),
    );
    expect(rows.map(({ letters }) => letters)).toEqual([200, 200]);
    expect(rows.filter(({ height }) => height > 200)).toEqual([]);
  });

  it('show the days before a monitor existed at full height, and their date once for a section', async () => {
    const { page } = await site.visit('/status/new', { viewport: DESKTOP });
    const heights = await page
      .locator('.bars .none')
      .evaluateAll((paths) => paths.map((path) => Number.parseFloat(getComputedStyle(path).strokeWidth)));
    expect(heights.length).toBeGreaterThan(0);
    expect(new Set(heights)).toEqual(new Set([24]));
    expect(await page.getByText(/^Monitored since/).count()).toBe(await page.locator('.axis').count());
  });
});

describe('an overview with several sections', () => {
  it('shows one axis, below the first open section with monitors', async () => {
    const { page } = await site.visit('/status/acme-cloud');
    const visible = () =>
      page
        .locator('.section')
        .evaluateAll((all) => all.map((one) => one.querySelector('.axis')?.checkVisibility() === true));
    expect(await visible()).toEqual([true, false, false]);
    await page.locator('.section > summary').nth(0).click();
    expect(await visible()).toEqual([false, true, false]);
  });

  it('shows percentages and operational monitors in the quiet color', async () => {
    const { page } = await site.visit('/status/acme-cloud');
    const colorsOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))]);
    const quiet = await colorsOf('.calm');
    expect(quiet).toHaveLength(1);
    expect(await colorsOf('.percent, .percent summary')).toEqual(quiet);
    expect(await colorsOf('.monitor > .status.ok')).toEqual(quiet);
    expect(await colorsOf('.monitor > .status:not(.ok)')).not.toEqual(quiet);
    expect(await colorsOf('.monitor > a')).not.toEqual(quiet);
  });
});

describe('a page of fifteen healthy monitors', () => {
  it.each([
    { viewport: DESKTOP, width: DESKTOP.width, most: 1_500 },
    { viewport: PHONE, width: PHONE.width, most: 1_900 },
  ])('takes at most $most px of height in a window of $width px', async ({ viewport, most }) => {
    const { page } = await site.visit('/status/healthy', { viewport });
    expect(await page.locator('.monitor').count()).toBe(15);
    for (const row of await page.locator('.monitor').all()) expect(await row.isVisible()).toBe(true);
    expect(await heightOf(page)).toBeLessThanOrEqual(most);
  });
});

describe('the demo page', () => {
  const variants = LANGUAGES.flatMap((language) =>
    ['br', 'gzip'].map((encoding) => ({ language, encoding })),
  );

  it.each(variants)(
    'transfers at most 10,000 bytes in $language with $encoding',
    async ({ language, encoding }) => {
      const { headers } = await fetch(`${site.server.url}/status/acme-cloud?lang=${language}`, {
        headers: { 'Accept-Encoding': encoding },
      });
      expect(headers.get('content-encoding')).toBe(encoding);
      const bytes = Number(headers.get('content-length'));
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThanOrEqual(MAX_COMPRESSED_BYTES);
    },
  );
});

describe('page.css', () => {
  it(`contains at most ${MAX_STYLESHEET_BYTES} bytes`, () => {
    const { size } = statSync('src/page-documents/assets/page.css');
    expect(size).toBeLessThanOrEqual(MAX_STYLESHEET_BYTES);
  });
});
