import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderUnavailable } from '../../src/page-documents/components/message-page.js';
import { renderStart } from '../../src/page-documents/components/start-page.js';
import type { PageDocument } from '../../src/page-model/page-document.js';
import { STARTED_PAGES } from '../public-page/html-examples.js';
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

/** Opens a document that no route of the test server returns. */
async function show({ body, type, csp = '' }: PageDocument): Promise<Page> {
  const { page } = await site.open();
  const headers = { 'Content-Type': type, 'Content-Security-Policy': csp };
  await page.route('**/shown', (route) => route.fulfill({ body, headers }));
  await page.goto('/shown');
  return page;
}

describe('each public page', () => {
  it('passes the axe rules for WCAG 2.2 AA in all colors and widths', async () => {
    const found: Record<string, string[]> = {};
    const start = {
      pages: STARTED_PAGES,
      console_path: '/manage',
      docs_path: '/docs',
      key_command: 'npm run cli',
    };
    const pages = [
      ...site.examples.map(({ name, path }) => ({
        name,
        open: async () => (await site.visit(path)).page,
      })),
      { name: 'the start page', open: () => show(renderStart(start)) },
      { name: 'the page without a database', open: () => show(renderUnavailable()) },
    ];
    for (const { name, open } of pages) {
      const page = await open();
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
