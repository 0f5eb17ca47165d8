import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderOverview } from '../../src/page-documents/components/overview-page.js';
import { viewOf } from '../../src/page-model/view.js';
import {
  day,
  DEFAULT_BRANDING,
  head,
  monitor,
  overview,
  section,
  today,
  view,
} from '../public-page/components-data.js';
import { useSite } from './use-site.js';

const site = useSite();

const DAY = 86_400;
const CREATED = new Date('2025-01-01T00:00:00.000Z');

/** Days with an outage of ten minutes, of forty seconds, and degraded performance for an hour. */
const DAYS = [
  day('2026-10-01', { operational: DAY - 600, major_outage: 600 }),
  day('2026-10-21', { operational: DAY - 40, major_outage: 40 }),
  day('2026-11-10', { operational: DAY - 3_600, degraded_performance: 3_600 }),
  today,
];
/** Positions of these days from the first day on. */
const [TEN_MINUTES, FORTY_SECONDS, DEGRADED] = [38, 58, 78];

const INCIDENT = {
  id: '018cc251-f400-7000-8000-00000000000c',
  title: 'Errors in the API',
  monitor_id: 'troubled',
  started_at: new Date('2026-10-01T01:00:00.000Z'),
  ended_at: new Date('2026-10-01T03:00:00.000Z'),
};

/** Opens a page with a monitor that has had problems, and a number of others. */
async function open(options: Parameters<typeof site.open>[0], others = 1, time_zone = 'UTC'): Promise<Page> {
  const { page: tab } = await site.open(options);
  const page = head({ branding: { ...DEFAULT_BRANDING, time_zone } });
  const monitors = [
    monitor('API', { monitor_id: 'troubled', days: DAYS, uptime: 99.99, created_at: CREATED }),
    ...Array.from({ length: others }, (_, index) =>
      monitor(`Service ${index}`, { monitor_id: `fine-${index}`, created_at: CREATED }),
    ),
  ];
  const sections = [section('Core', monitors.slice(0, 5)), section('Others', monitors.slice(5))];
  const { body } = renderOverview(
    overview(
      sections.filter((one) => one.monitors.length > 0),
      { page, day_incidents: [INCIDENT] },
    ),
    viewOf(view.links, page),
  );
  await tab.route('**/status/acme', (route) => route.fulfill({ body, contentType: 'text/html' }));
  await tab.clock.setFixedTime(new Date('2026-11-21T12:34:56.000Z'));
  await tab.goto('/status/acme');
  return tab;
}

/** Returns the pixels in the column of a day, and the color of an operational bar near it. */
async function columnOf(page: Page, index: number) {
  const bars = page.locator('svg.bars').first();
  const picture = (await bars.screenshot()).toString('base64');
  return page.evaluate(
    async ({ url, position }) => {
      const blob = Uint8Array.from(atob(url), (char) => char.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([blob], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const luminance = ([r, g, b]: number[]) => {
        const [x = 0, y = 0, z = 0] = [r, g, b].map((value = 0) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
      };
      const at = (x: number, y: number) => {
        const [r = 0, g = 0, b = 0] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data;
        return [r, g, b] satisfies [number, number, number];
      };
      const step = bitmap.width / 90;
      const columns = Array.from({ length: Math.ceil(step) }, (_column, dx) =>
        Array.from({ length: bitmap.height }, (_row, y) => at(Math.floor(position * step) + dx, y)),
      );
      const neighbor = at((position - 4) * step + step * 0.4, bitmap.height / 2);
      return {
        height: bitmap.height,
        columns,
        neighbor: { color: neighbor, luminance: luminance(neighbor) },
        luminances: columns.map((column) => column.map(luminance)),
      };
    },
    { url: picture, position: index },
  );
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** Returns the number of pixels of a day's outage color, in px² of the page, and the contrast of the outage with a bar beside it. */
async function outageIn(page: Page, index: number, scale: number) {
  const { columns, luminances, neighbor, height } = await columnOf(page, index);
  let pixels = 0;
  let darkest = 1;
  let lightest = 0;
  for (const [x, column] of columns.entries()) {
    for (const [y, [red, green]] of column.entries()) {
      if (red < green * 1.2) continue; // green, or the background
      pixels++;
      const luminance = luminances[x]?.[y] ?? 0;
      darkest = Math.min(darkest, luminance);
      lightest = Math.max(lightest, luminance);
    }
  }
  const contrasts = [darkest, lightest].map((one) => contrast(one, neighbor.luminance));
  return {
    area: pixels / scale ** 2,
    full: (columns.length * height) / scale ** 2,
    contrast: Math.max(...contrasts),
  };
}

describe('the bars at 390 px', () => {
  it.each([
    ['light', 1],
    ['light', 2],
    ['dark', 1],
    ['dark', 2],
  ] as const)(
    'show ten minutes of an outage, and forty seconds as less (%s, %i pixels a px)',
    async (colorScheme, scale) => {
      const page = await open({
        colorScheme,
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: scale,
      });
      const long = await outageIn(page, TEN_MINUTES, scale);
      const short = await outageIn(page, FORTY_SECONDS, scale);
      expect(long.area).toBeGreaterThanOrEqual(24);
      expect(long.contrast).toBeGreaterThanOrEqual(3);
      expect(short.area).toBeGreaterThanOrEqual(6);
      expect(short.area).toBeLessThan(short.full / 4);
    },
  );
});

describe('the card of a day', () => {
  it('names the day in the time zone of the page', async () => {
    const page = await open({}, 1, 'Australia/Sydney');
    await page.getByRole('link', { name: 'API', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect((await page.locator('.day strong').textContent())?.replaceAll(/\s/g, ' ')).toBe(
      '21 Nov, 11:00 GMT+11 – 22 Nov, 11:00 GMT+11',
    );
  });

  it('follows the arrow keys, links to the incident, and closes with Escape', async () => {
    const page = await open({});
    const bars = page.getByRole('slider').first();
    const card = page.locator('.day');
    await page.getByRole('link', { name: 'API', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await card.textContent()).toBe('Sat, 21 Nov 2026Operational');
    for (let times = 90; times > TEN_MINUTES + 1; times--) await page.keyboard.press('ArrowLeft');
    expect(await bars.getAttribute('aria-valuetext')).toBe(
      'Thu, 1 Oct 2026: Major outage 10 min · Errors in the API',
    );
    expect(await card.textContent()).toBe('Thu, 1 Oct 2026Major outage 10 min · Errors in the API');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(
      `/status/acme/incidents/${INCIDENT.id}`,
    );
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    await page.keyboard.press('Home');
    expect(await bars.getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('End');
    expect(await bars.getAttribute('aria-valuenow')).toBe('90');
  });

  it('appears under the pointer, stays while the pointer is on it, and covers no part of its bars', async () => {
    const page = await open({});
    const box = await page.locator('svg.bars').first().boundingBox();
    if (!box) throw new Error('no bars');
    const x = box.x + (box.width * (DEGRADED + 0.5)) / 90;
    await page.mouse.move(x, box.y + 10);
    const card = page.locator('.day');
    expect(await card.textContent()).toBe('Tue, 10 Nov 2026Degraded performance 1 h');
    const cardBox = await card.boundingBox();
    expect(cardBox?.y).toBeGreaterThanOrEqual(box.y + box.height);
    await page.mouse.move(x, (cardBox?.y ?? 0) + 10);
    await page.waitForTimeout(600);
    expect(await card.count()).toBe(1);
    await page.mouse.move(5, 5);
    await card.waitFor({ state: 'detached' });
  });

  it('finds the day beside a finger, stays in a window of 320 px, and closes on a tap elsewhere', async () => {
    const page = await open({ viewport: { width: 320, height: 640 }, hasTouch: true });
    const box = await page.locator('svg.bars').first().boundingBox();
    if (!box) throw new Error('no bars');
    await page.touchscreen.tap(box.x + (box.width * (TEN_MINUTES + 3)) / 90, box.y + 10);
    const card = page.locator('.day');
    expect(await card.textContent()).toContain('1 Oct 2026');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole('heading', { level: 1 }).tap();
    expect(await card.count()).toBe(0);
  });
});

describe('a page of fifteen monitors', () => {
  it.each([
    [1440, 1_500],
    [390, 1_900],
  ])('takes at %i px at most %i px of height', async (width, most) => {
    const page = await open({ viewport: { width, height: 900 } }, 14);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(most);
  });
});
