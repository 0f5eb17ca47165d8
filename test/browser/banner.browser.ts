import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AXE, violationsOf } from './axe.js';
import { useSite } from './use-site.js';

const site = useSite();

const [INTEGRITY = ''] = /integrity="sha384-[^"]+"/.exec(readFileSync('docs/public-pages.md', 'utf8')) ?? [];

let content = '';
const company = createServer((_request, response) => {
  const { url } = site.server;
  const policy = `default-src 'none';img-src data:;script-src ${url};connect-src ${url};frame-src ${url}`;
  response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy });
  response.end(
    `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>${content}</html>`,
  );
});
let address = '';
beforeAll(async () => {
  await once(company.listen(0, '127.0.0.1'), 'listening');
  const bound = company.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  address = `http://127.0.0.1:${bound.port}/`;
});
afterAll(() => company.close());

/** Opens a company's own page with this content, in another origin and under a strict policy. */
async function openCompany(shown: string): Promise<{ page: Page; faults: string[] }> {
  content = shown;
  const tab = await site.visit(address);
  await tab.page.waitForLoadState('networkidle');
  return tab;
}

/** Opens a company's page with the banner of a status page, as documented. */
const openWithBanner = (slug: string) =>
  openCompany(
    `<script src="${site.server.url}/status/${slug}/banner.js?v=1" ${INTEGRITY} crossorigin="anonymous" async></script>`,
  );

describe('the banner on a site of another origin', () => {
  it('shows the headline as a link that is reached by keyboard and passes axe', async () => {
    const { page, faults } = await openWithBanner('partial-outage');
    const link = page.getByRole('status').getByRole('link');
    await link.waitFor();
    expect(await link.textContent()).toContain('artial outage');
    expect(await link.getAttribute('href')).toMatch(/\/status\/partial-outage$/);
    const box = await link.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press('Tab');
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.evaluate(AXE);
    expect((await violationsOf(page)).filter((one) => !/^(region|landmark-one-main):/.test(one))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows nothing while all is operational', async () => {
    const { page, faults } = await openWithBanner('healthy');
    expect(await page.getByRole('status').textContent()).toBe('');
    expect((await page.getByRole('status').boundingBox())?.height ?? 0).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows nothing for a page that does not exist', async () => {
    const { page } = await openWithBanner('no-such-page');
    expect(await page.getByRole('status').count()).toBe(0);
  });
});

describe('the frame on a site of another origin', () => {
  it('shows only the headline of a public page', async () => {
    const path = `${site.server.url}/status/partial-outage`;
    const { page } = await openCompany(
      `<iframe src="${path}/embed" width="480" height="56"></iframe><iframe src="${path}"></iframe>`,
    );
    const [shown, refused] = [0, 1].map((index) => page.frameLocator(`iframe >> nth=${index}`));
    await shown?.getByRole('heading').waitFor();
    expect(await shown?.getByRole('link').last().getAttribute('target')).toBe('_blank');
    expect(await shown?.locator('html').evaluate((html) => html.scrollHeight)).toBeLessThanOrEqual(56);
    expect(await refused?.getByRole('heading').count()).toBe(0);
  });
});
