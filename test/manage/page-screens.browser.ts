import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AXE, violationsOf } from '../browser/axe.js';
import { launchChromium } from '../browser/launch.js';
import { type Tenant, TestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const WIDTHS = [390, 1440];
const HEIGHT = 844;
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32" fill="#123"/></svg>';

const server = new TestServer();
const { person } = useConsole(server);
let browser: Browser;
let tenant: Tenant;
let pageId: string;

beforeAll(async () => {
  await server.start({});
  browser = await launchChromium();
  tenant = await server.tenant();
  await server.project(tenant.organization_id);
  const monitors = await server.monitors(tenant, 15);
  const sections = [{ id: 'core', title: 'Core', monitor_ids: monitors.slice(0, 2) }];
  ({ id: pageId } = await server.page(tenant, { sections }));
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Opens a path as a new admin, without scripts of the console. */
async function open(path: string): Promise<Page> {
  const { cookie } = await person(tenant, 'admin');
  const context = await browser.newContext({ baseURL: server.url, bypassCSP: true });
  await context.route('**/*.js', (route) => route.abort());
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const tab = await context.newPage();
  await tab.setViewportSize({ width: 390, height: HEIGHT });
  await tab.goto(path);
  return tab;
}

/** Returns findings of axe and content that is too wide, on a phone and a wide screen, light and dark. */
async function faultsOf(tab: Page): Promise<string[]> {
  const found: string[] = [];
  await tab.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await tab.setViewportSize({ width, height: HEIGHT });
      const excess = await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const faults = [...(await violationsOf(tab)), ...(excess > 0 ? [`${excess} px too wide`] : [])];
      found.push(...faults.map((fault) => `${colorScheme} ${width}: ${fault}`));
    }
  }
  return found;
}

describe('screens of pages, members and the log', () => {
  it('pass the rules of axe, on a phone and a wide screen, light and dark', async () => {
    const page = `/manage/pages/${pageId}`;
    const tab = await open('/manage?done=welcome');
    const paths = [
      '',
      '/pages',
      '/members',
      '/members/new',
      '/log',
      '/account',
      `/pages/${pageId}`,
      `/pages/${pageId}/sections`,
    ];
    for (const path of paths) {
      if (path !== '') await tab.goto(`/manage${path}`);
      expect([path, await faultsOf(tab)]).toEqual([path, []]);
    }
    await tab.goto(`${page}/sections/core?done=added`);
    expect(await faultsOf(tab)).toEqual([]);
    await tab.locator('summary').first().click();
    expect(await faultsOf(tab)).toEqual([]);
  });

  it('confirms a picture beside its form, without a frame around the target of the jump', async () => {
    const tab = await open(`/manage/pages/${pageId}/branding`);
    const logo = tab.locator('#logo');
    await logo.locator('[type=file]').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(SVG),
    });
    await logo.getByRole('button', { name: 'Upload: Logo' }).click();
    await tab.waitForURL(/#logo$/);
    const saved = logo.getByRole('status');
    expect(await saved.innerText()).toContain('Saved');
    const top = (await saved.boundingBox())?.y ?? -1;
    expect([top >= 0, top < HEIGHT]).toEqual([true, true]);
    expect(await logo.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none');
    expect(await logo.locator('.plate').count()).toBe(2);
    expect(await faultsOf(tab)).toEqual([]);
  });

  it('shows a long word of a name in one line on a phone', async () => {
    const [first = ''] = await server.monitors(tenant, 1);
    const name = 'Internationalization';
    const ask = { method: 'PATCH', key: tenant.key, json: { name } };
    expect((await server.ask(`/v1/monitors/${first}`, ask)).status).toBe(200);
    const sections = [{ id: 'long', title: 'Long', monitor_ids: [first] }];
    const { id } = await server.page(tenant, { sections });
    const tab = await open(`/manage/pages/${id}/sections/long`);
    const what = tab.locator('.row .what', { hasText: name });
    expect(await what.evaluate((one) => one.getClientRects().length)).toBe(1);
    const height = (await what.boundingBox())?.height ?? 0;
    expect(height).toBeLessThan(
      2 * Number.parseFloat(await what.evaluate((one) => getComputedStyle(one).fontSize)),
    );
    expect(await faultsOf(tab)).toEqual([]);
  });

  it('keeps ticked monitors after a search, which stays in view', async () => {
    const tab = await open(`/manage/pages/${pageId}/sections/core`);
    await tab.getByLabel('Monitor 5', { exact: true }).check();
    await tab.getByRole('searchbox').fill('Monitor 15');
    await tab.keyboard.press('Enter');
    await tab.getByLabel('Monitor 15', { exact: true }).waitFor();
    expect(await tab.getByLabel('Monitor 5', { exact: true }).isChecked()).toBe(true);
    const top = (await tab.locator('#add').boundingBox())?.y ?? -1;
    expect([top >= -1, top < HEIGHT]).toEqual([true, true]);
    await tab.getByLabel('Monitor 15', { exact: true }).check();
    await tab.getByRole('button', { name: 'Add chosen monitors' }).click();
    for (const name of ['Monitor 5', 'Monitor 15'])
      expect(await tab.getByRole('button', { name: `Remove ${name}`, exact: true }).count()).toBe(1);
    expect(await tab.getByRole('status').innerText()).toContain('Add another section');
  });
});
