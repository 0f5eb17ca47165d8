import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useSite } from './use-site.js';

const site = useSite();

/** Roles without meaning for screen reader users. */
const SILENT = new Set(['none', 'generic', 'InlineTextBox', 'paragraph', 'ListMarker', 'LineBreak']);

/** Returns Chromium's accessibility tree, one node per line, with role and name. */
async function treeOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Accessibility.enable');
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const add = (id: string, depth: number): void => {
    const node = byId.get(id);
    if (!node) return;
    const role = String(node.role?.value);
    const name = String(node.name?.value ?? '').trim();
    const isShown = !node.ignored && !SILENT.has(role) && (role !== 'StaticText' || name !== '');
    if (isShown) {
      const level = node.properties?.find((property) => property.name === 'level')?.value.value;
      const expanded = node.properties?.find((property) => property.name === 'expanded')?.value.value;
      const states = [
        ...(level === undefined ? [] : [` level ${level}`]),
        ...(expanded === undefined ? [] : [expanded ? ' open' : ' closed']),
      ];
      lines.push(`${'  '.repeat(depth)}${role}${name === '' ? '' : ` "${name}"`}${states.join('')}`);
    }
    for (const child of node.childIds ?? []) add(child, isShown ? depth + 1 : depth);
  };
  const [root] = nodes;
  if (root) add(root.nodeId, 0);
  return lines;
}

/** Returns the lines that begin with one of these roles, without indentation. */
const linesOf = (tree: string[], ...roles: string[]): string[] =>
  tree.map((line) => line.trim()).filter((line) => roles.includes(line.split(' ')[0] ?? ''));

it('the accessibility tree lists headline, incidents, maintenance windows, sections and past incidents in order', async () => {
  const { page } = await site.visit('/status/acme-cloud');
  const tree = await treeOf(page);
  expect(tree[0]).toBe('RootWebArea "Some systems are degraded · Acme Cloud"');
  expect(linesOf(tree, 'banner', 'main', 'contentinfo', 'navigation', 'region')).toEqual([
    'banner',
    'navigation "Header links"',
    'main',
    'region "Open incidents"',
    'region "Upcoming maintenance"',
    'region "Past incidents and maintenance"',
    'contentinfo',
    'navigation "Footer links"',
    'navigation "Language"',
  ]);
  const headings = linesOf(tree, 'heading').map((line) => line.replace(/"\d+ \w+" level 3/, 'a day'));
  expect(headings).toEqual([
    'heading "Some systems are degraded" level 1',
    'heading "Open incidents" level 2',
    'heading "Slow responses from the API" level 3',
    'heading "Core services" level 2',
    'heading "Regions" level 2',
    'heading "Integrations" level 2',
    'heading "Upcoming maintenance" level 2',
    'heading "Database upgrade" level 3',
    'heading "Past incidents and maintenance" level 2',
    'heading a day',
    'heading "Emails are delayed" level 4',
  ]);
  expect(linesOf(tree, 'DisclosureTriangle').filter((line) => line.endsWith(' open'))).toEqual([
    'DisclosureTriangle "Core services 1 of 5 not operational Degraded performance" open',
    'DisclosureTriangle "Regions Operational" open',
    'DisclosureTriangle "Integrations Operational" open',
  ]);
});

it('the accessibility tree describes each monitor by name, status and uptime sentence', async () => {
  const { page } = await site.visit('/status/acme-cloud');
  const tree = await treeOf(page);
  const begin = tree.findIndex((line) => line.trim() === 'link "Europe (Frankfurt)"');
  const [link, name, bars, status, group, uptime] = tree.slice(begin, begin + 6).map((line) => line.trim());
  expect([link, name, status, group]).toEqual([
    'link "Europe (Frankfurt)"',
    'StaticText "Europe (Frankfurt)"',
    'StaticText "Operational"',
    'group',
  ]);
  expect(bars).toMatch(/^slider "Last 90 days: 99\.9\d% uptime, problems on [23] days"$/);
  expect(uptime).toMatch(/^DisclosureTriangle "99\.9\d% Problems on [23] days" closed$/);
  const allBars = linesOf(tree, 'slider');
  expect(allBars).toHaveLength(15);
  for (const one of allBars)
    expect(one).toMatch(
      /^slider "Last 90 days: [\d.]+% uptime, (no problems|problems on \d+ days?)(, maintenance on \d+ days?)?"$/,
    );
});

it('the accessibility tree contains a table of days with problems and linked incidents', async () => {
  const { page } = await site.visit('/status/acme-cloud');
  const monitor = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Europe (Frankfurt)' }) });
  await monitor.locator('summary').click();
  const table = monitor.getByRole('table', { name: /Europe \(Frankfurt\)/ });
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Day (UTC)', 'Status']);
  expect(await table.getByRole('rowheader').count()).toBeGreaterThan(0);
  expect(await table.getByRole('link', { name: 'Frankfurt region unavailable' }).count()).toBeGreaterThan(0);
});
