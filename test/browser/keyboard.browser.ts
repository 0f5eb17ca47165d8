import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

const site = useSite();

/** Interactive elements, without the links in the card of a day, which appears at the focused bars. */
const INTERACTIVE = ['a[href]', 'summary', 'button', 'input', 'select', 'textarea', '[tabindex]']
  .map((selector) => `${selector}:not(.day *)`)
  .join();

/** Returns the position of the focused element among the interactive elements, and its focus style. */
function focused(page: Page) {
  return page.evaluate((selector) => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
    const { top, bottom, left, right } = activeElement.getBoundingClientRect();
    return {
      index: [...document.querySelectorAll(selector)].indexOf(activeElement),
      name: `${activeElement.tagName} ${activeElement.textContent}`,
      outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
      isInView: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    };
  }, INTERACTIVE);
}

/** Returns the positions of the visible interactive elements. */
const visible = (page: Page): Promise<number[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)].flatMap((element, index) =>
        element.checkVisibility() ? [index] : [],
      ),
    INTERACTIVE,
  );

describe('keyboard navigation', () => {
  it.each(['/status/acme-cloud', '/status/on-fire', '/status/rtl'])(
    'reaches all links and sections of %s in order with visible focus',
    async (path) => {
      const { page } = await site.visit(path);
      const wanted = await visible(page);
      const reached: number[] = [];
      const unclear: string[] = [];
      for (let count = 0; count <= 2 * wanted.length; count++) {
        await page.keyboard.press('Tab');
        const now = await focused(page);
        if (!now) break;
        if (now.index >= 0) reached.push(now.index);
        if (now.outline < 2 || !now.isInView) unclear.push(now.name);
      }
      expect(wanted.length).toBeGreaterThan(5);
      expect({ reached, unclear }).toEqual({ reached: wanted, unclear: [] });
    },
  );

  it('reaches a link to skip to the content first', async () => {
    const { page } = await site.visit('/status/acme-cloud');
    await page.keyboard.press('Tab');
    const skip = page.locator(':focus');
    expect(await skip.getAttribute('href')).toBe('#main');
    expect(await skip.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :focus').count()).toBe(1);
  });

  it.each(['Enter', 'Space'])('toggles a section with %s', async (key) => {
    const { page } = await site.visit('/status/acme-cloud');
    const section = page.locator('details').first();
    const isOpen = () => section.evaluate((element) => element.hasAttribute('open'));
    const before = await isOpen();
    await section.locator('summary').first().focus();
    await page.keyboard.press(key);
    expect(await isOpen()).toBe(!before);
    await page.keyboard.press(key);
    expect(await isOpen()).toBe(before);
  });
});
