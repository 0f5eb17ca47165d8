import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderUnavailable } from '../../src/public-page/components/message-page.js';
import { renderStart } from '../../src/public-page/components/start-page.js';
import type { PageDocument } from '../../src/public-page/documents/page-document.js';
import { useSite } from './use-site.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All axe rules for WCAG 2.2 A and AA and best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const MEDIA = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colors': { colorScheme: 'dark', forcedColors: 'active' },
} as const;

const WIDTHS = [360, 1280];

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

const site = useSite();

/** Returns the violations that axe finds, each with its first elements. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })`,
  );
  return violations.map(({ id, help, nodes }) => {
    const found = nodes
      .slice(0, 3)
      .map(({ html, failureSummary = '' }) => `${html.slice(0, 200)} ${failureSummary}`);
    return `${id}: ${help} (${nodes.length}): ${found.join(' | ')}`;
  });
}

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
    const start = { page_path: '/status/acme-cloud', docs_path: '/docs', key_command: 'npm run cli' };
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
