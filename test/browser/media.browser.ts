import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

/** Elements that are useless on paper: navigation, and the description, which the header or the footer shows. */
const NOT_PRINTED = '[hidden], .skip, .shortcuts, .updated a, footer nav, #subscribe, footer .about';

const site = useSite();

/** Returns the texts of the page that are not visible. */
function hiddenTexts(page: Page): Promise<string[]> {
  return page.evaluate((notPrinted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const hidden: string[] = [];
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode;
      const text = (nodeValue ?? '').trim();
      if (text !== '' && parentElement && !parentElement.closest(notPrinted)) {
        if (!parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          hidden.push(text);
      }
    }
    return hidden;
  }, NOT_PRINTED);
}

/** Returns the lightness of a CSS color, from 0 (black) to 1 (white). Transparent colors return 1. */
function lightness(page: Page, selector: string): Promise<number> {
  return page.evaluate((one) => {
    const element = document.querySelector(one);
    if (!element) throw new Error(`no ${one}`);
    const canvas = document.createElement('canvas').getContext('2d');
    if (!canvas) throw new Error('no canvas');
    canvas.fillStyle = 'white';
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(element).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  }, selector);
}

describe('a printed page', () => {
  it('shows all of its text on white, even in dark mode', async () => {
    const found: Record<string, unknown> = {};
    for (const { name, path } of site.examples) {
      const { page } = await site.visit(path, { colorScheme: 'dark' });
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      const dark = [];
      for (const selector of ['html', 'body', 'main']) {
        if ((await lightness(page, selector)) < 0.95) dark.push(selector);
      }
      const navigation = await page.locator('nav, .skip').allTextContents();
      const hidden = (await hiddenTexts(page)).filter(
        (text) => !navigation.some((one) => one.includes(text)),
      );
      if (dark.length > 0 || hidden.length > 0) found[name] = { dark, hidden: hidden.slice(0, 10) };
      await page.context().close();
    }
    expect(found).toEqual({});
  });

  it('closes its details again after printing', async () => {
    const { page } = await site.visit('/status/green');
    const open = () => page.locator('details[open]').count();
    const before = await open();
    await page.pdf();
    expect(await open()).toBe(before);
  });
});

describe('the alert around a headline', () => {
  /** Returns the text color of the headline, the background around it, and the color and mark of its sign. */
  const colorsOf = (page: Page) =>
    page.evaluate(() => {
      const alert = document.querySelector('.alert');
      const [headline, sign] = ['h1', '.headline span'].map((one) => alert?.querySelector(one));
      if (!alert || !headline || !sign) throw new Error('no alert');
      return {
        background: getComputedStyle(alert).backgroundColor,
        text: getComputedStyle(headline).color,
        link: getComputedStyle(alert.querySelector('a') ?? headline).color,
        sign: getComputedStyle(sign).getPropertyValue('--color'),
      };
    });
  const white = { text: 'rgb(255, 255, 255)', link: 'rgb(255, 255, 255)', sign: '#fff' };

  const [ink, pale] = ['rgb(21, 23, 26)', 'rgb(236, 238, 240)'];

  it.each([
    ['light', '/status/on-fire', white],
    ['light', '/status/in-maintenance', white],
    ['light', '/status/acme-cloud', { text: ink, link: ink, sign: '#15171a' }],
    ['dark', '/status/on-fire', { text: pale, link: pale, sign: '#f5894a' }],
    ['dark', '/status/in-maintenance', { text: pale, link: pale, sign: '#6c9df7' }],
    ['dark', '/status/acme-cloud', { text: pale, link: pale, sign: '#e2ae3c' }],
  ] as const)('shows text and a sign on a color: %s, %s', async (colorScheme, path, expected) => {
    const { page } = await site.visit(path, { colorScheme });
    const { background, ...colors } = await colorsOf(page);
    expect(background).not.toMatch(/, 0\)$/);
    expect(colors).toEqual(expected);
  });

  it.each([
    ['on paper', { media: 'print' }],
    ['with forced colors', { forcedColors: 'active' }],
  ] as const)('shows no background and no white text %s', async (_, media) => {
    const { page } = await site.visit('/status/on-fire');
    await page.emulateMedia(media);
    const { background, text, sign } = await colorsOf(page);
    const other = await page
      .locator('.section h2')
      .first()
      .evaluate((one) => getComputedStyle(one).color);
    expect(background).toMatch(/^rgba\(.*, 0\)$/); // transparent
    expect(text).toBe(other);
    expect(sign).not.toBe(white.sign);
  });

  it('disappears while everything is operational or data is missing', async () => {
    for (const path of ['/status/healthy', '/status/silent', '/status/empty']) {
      const { page } = await site.visit(path);
      expect([path, await page.locator('.alert').count()]).toEqual([path, 0]);
      await page.context().close();
    }
  });
});

describe('a page with prefers-reduced-motion', () => {
  it('stays still', async () => {
    for (const { path } of site.examples) {
      const { page } = await site.visit(path, { reducedMotion: 'reduce' });
      const moving = await page.evaluate(() => {
        const animated = [...document.querySelectorAll('*')].filter((element) =>
          [null, '::before', '::after'].some((pseudo) => {
            const { animationName, animationDuration, transitionDuration } = getComputedStyle(
              element,
              pseudo,
            );
            const lasts = (durations: string) => durations.split(', ').some((one) => parseFloat(one) > 0.01);
            return (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration);
          }),
        );
        const smooth = getComputedStyle(document.documentElement).scrollBehavior === 'smooth';
        return [
          document.getAnimations().length,
          animated.map(({ outerHTML }) => outerHTML.slice(0, 80)),
          smooth,
        ];
      });
      expect([path, ...moving]).toEqual([path, 0, [], false]);
      await page.context().close();
    }
  });
});
