import { describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

const site = useSite();

describe('/docs', () => {
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
