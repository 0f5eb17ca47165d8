import { describe, expect, it } from 'vitest';
import { AXE, violationsOf } from './axe.js';
import { useSite } from './use-site.js';

const site = useSite();

describe('/docs', () => {
  it.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])('shows the first operation in the first window of $width × $height px', async (viewport) => {
    const { page, faults, requests } = await site.visit('/docs', { viewport });
    const first = page.locator('.opblock').first();
    await first.waitFor();
    const { y = Infinity, height = 0 } = (await first.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(viewport.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(site.server.url))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'shows a request in curl and TypeScript, folds the errors, and passes the axe rules: %s',
    async (colorScheme) => {
      const { page } = await site.visit('/docs', { colorScheme });
      await page.locator('.opblock-post .opblock-summary-control').first().click();
      const open = page.locator('.opblock.is-open');
      const sample = open.locator('.samples pre');
      await sample.waitFor();
      expect(await sample.textContent()).toMatch(
        /^curl -X POST "http:.*\/v1\/status-pages" \\\n  -H "Authorization: Bearer \$KEY" \\\n/,
      );
      await open.getByRole('button', { name: 'TypeScript' }).click();
      expect(await sample.textContent()).toContain("client.http.POST('/v1/status-pages', {\n  body: {\n");
      const codes = async () => open.locator('.response-col_status').allTextContents();
      expect(await codes()).not.toContain('404');
      await open.locator('.errors summary').click();
      await open.locator('.errors .responses-table').waitFor();
      expect(await codes()).toContain('404');
      await open.getByRole('button', { name: 'Try it out' }).click();
      await page.evaluate(AXE);
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  it('focuses the field of the API key after "Authorize"', async () => {
    const { page } = await site.visit('/docs');
    await page.click('button.authorize');
    await page.waitForSelector('.modal-ux input');
    const focused = await page.evaluate(() => {
      const section = document.activeElement?.closest('.auth-container');
      return [document.activeElement?.tagName, section?.querySelector('h4')?.textContent];
    });
    expect(focused).toEqual(['INPUT', expect.stringMatching(/^api_key\s+\(http, Bearer\)$/)]);
  });
});
