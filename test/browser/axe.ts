import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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
