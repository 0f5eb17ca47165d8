import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutOff } from './cut-off.js';
import { useSite } from './use-site.js';

const site = useSite();

/** Ways to enlarge a page. Each one resets the one before. */
const VIEWS: Record<string, (page: Page) => Promise<void>> = {
  'at 320 px, which is 1280 px at 400 %': (page) => page.setViewportSize({ width: 320, height: 256 }),
  'at 640 px, which is 1280 px at 200 %': (page) => page.setViewportSize({ width: 640, height: 400 }),
  'with text of twice the size': async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
  },
  'with the spacing of WCAG 1.4.12': (page) =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '';
      for (const element of document.body.querySelectorAll<HTMLElement>('*:not(svg, svg *)')) {
        Object.assign(element.style, { lineHeight: '1.5', letterSpacing: '0.12em', wordSpacing: '0.16em' });
      }
      for (const element of document.body.querySelectorAll<HTMLElement>('p'))
        element.style.marginBottom = '2em';
    }),
};

describe('each public page with all details open', () => {
  /** Elements that are cut off, by view and page. */
  const found: Record<string, Record<string, string[]>> = {};
  beforeAll(async () => {
    for (const { name, path } of site.examples) {
      const { page } = await site.visit(path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      for (const [view, change] of Object.entries(VIEWS)) {
        await change(page);
        const cut = await cutOff(page);
        if (cut.length > 0) found[view] = { ...found[view], [name]: cut.slice(0, 5) };
      }
      await page.context().close();
    }
  });

  it.each(Object.keys(VIEWS))('cuts nothing off and does not scroll sideways %s', (view) => {
    expect(found[view]).toBeUndefined();
  });
});
