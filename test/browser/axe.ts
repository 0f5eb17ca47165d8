import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { cutOff } from './cut-off.js';

export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All axe rules for WCAG 2.2 A and AA and best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Returns the violations that axe finds, each with its first elements. */
export async function violationsOf(page: Page): Promise<string[]> {
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

/**
 * Shows a document in the colors light and dark at each width (px) in one page, because opening a page and loading axe
 * take most of the time. Returns what axe and {@link cutOff} find, by color and width. `check` inspects each further.
 */
export async function findingsInEachView(
  browser: Browser,
  html: string,
  widths: number[],
  check: (page: Page, view: { width: number; colorScheme: string }) => Promise<void> = async () => {},
): Promise<Record<string, string[]>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(html);
  await page.evaluate(AXE);
  const found: Record<string, string[]> = {};
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await check(page, { width, colorScheme });
      const problems = [...(await violationsOf(page)), ...(await cutOff(page))];
      if (problems.length > 0) found[`${width} px, ${colorScheme}`] = problems;
    }
  await context.close();
  return found;
}
