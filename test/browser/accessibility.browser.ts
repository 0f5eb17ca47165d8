import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { AXE, violationsOf } from './axe.js';
import { useSite } from './use-site.js';

const MEDIA = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colors': { colorScheme: 'dark', forcedColors: 'active' },
} as const;

const WIDTHS = [360, 1280];

const site = useSite();

const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

describe('each public page', () => {
  it('passes the axe rules for WCAG 2.2 AA in all colors and widths', async () => {
    const found: Record<string, string[]> = {};
    for (const { name, path } of site.examples) {
      const { page } = await site.visit(path);
      await page.evaluate(AXE);
      const check = async (how: string) => {
        const violations = await violationsOf(page);
        if (violations.length > 0) found[`${name}, ${how}`] = violations;
      };
      await check('as loaded');
      await openAll(page);
      for (const [media, emulated] of Object.entries(MEDIA)) {
        for (const width of WIDTHS) {
          await page.emulateMedia(emulated);
          await page.setViewportSize({ width, height: 800 });
          await check(`${media}, ${width} px, all open`);
        }
      }
      await page.context().close();
    }
    expect(found).toEqual({});
  }, 900_000);
});
