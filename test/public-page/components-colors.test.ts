import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  accentStyles,
  asShape,
  asText,
  contrastOf,
  DARKEST_OF_LIGHT,
  LIGHTEST_OF_DARK,
  type Rgb,
  rgbOf,
  textOn,
} from '../../src/page-documents/components/accent.js';

const STYLES = readFileSync('src/page-documents/assets/page.css', 'utf8');
const SIGNS = readFileSync('src/page-documents/assets/signs.css', 'utf8');
const STATUSES = ['ok', 'degraded', 'partial', 'major', 'maintenance', 'unknown', 'neutral'];

/** All 4,096 colors with three digits. */
const ACCENTS = Array.from(
  { length: 4_096 },
  (_, index) => `#${index.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`,
);

/** Returns the custom properties of the first block after a text of the stylesheet. */
function propertiesAfter(text: string): (name: string) => string {
  const start = STYLES.indexOf(text);
  const block = STYLES.slice(start, STYLES.indexOf('}', start));
  const properties = new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{3,6}|\d+%)/g)].map(([, a, b]) => [a, b]),
  );
  return (name) => {
    const value = properties.get(name) ?? '';
    return value.length === 4 ? value.replaceAll(/[0-9a-f]/g, '$&$&') : value;
  };
}

/** Returns the incident background color that a status tints, as `color-mix` in the stylesheet computes it. */
function tinted(of: (name: string) => string, status: string): Rgb {
  const share = Number.parseInt(of('tint'), 10) / 100;
  const [ground, color] = [rgbOf(of('ground')), rgbOf(of(status))];
  const part = (index: 0 | 1 | 2) => ground[index] + (color[index] - ground[index]) * share;
  return [part(0), part(1), part(2)];
}

/** Returns the background of an alert in the color of a status, as `color-mix` in the stylesheet computes it. */
function filled(of: (name: string) => string, status: string, fill: string): Rgb {
  const share = Number.parseInt(fill, 10) / 100;
  const [red, green, blue] = rgbOf(of(status));
  return [red * share, green * share, blue * share];
}

const SCHEMES = {
  light: { of: propertiesAfter(':root {'), background: DARKEST_OF_LIGHT },
  dark: {
    of: propertiesAfter('@media screen and (prefers-color-scheme: dark)'),
    background: LIGHTEST_OF_DARK,
  },
};

/** Returns the least contrast of all accent colors, after a conversion, with all of these colors. */
function leastContrast(convert: (hex: string) => string, others: (color: string) => Rgb[]): number {
  let least = Infinity;
  for (const accent of ACCENTS) {
    const color = convert(accent);
    for (const other of others(color)) least = Math.min(least, contrastOf(rgbOf(color), other));
  }
  return least;
}

/** Backgrounds with `prefers-contrast: more`. */
const STRONG = { light: '#ffffff', dark: '#000000' };

describe('each of 4,096 accent colors', () => {
  it.each(Object.entries(SCHEMES))('reaches the contrast of WCAG in the %s color scheme', (name, scheme) => {
    const { of, background } = scheme;
    expect(of('raised')).toBe(background);
    const backgrounds = [of('ground'), of('raised'), name === 'dark' ? STRONG.dark : STRONG.light].map(rgbOf);
    backgrounds.push(...STATUSES.filter((status) => status !== 'ok').map((status) => tinted(of, status)));
    const asLink = (hex: string) => asText(hex, background);
    const asStripe = (hex: string) => asShape(hex, background);
    expect(leastContrast(asLink, () => backgrounds)).toBeGreaterThanOrEqual(4.5);
    expect(leastContrast(asStripe, () => backgrounds)).toBeGreaterThanOrEqual(3);
    expect(leastContrast(asStripe, (color) => [rgbOf(textOn(color))])).toBeGreaterThanOrEqual(4.5);
  });

  it('stays unchanged if its contrast is sufficient', () => {
    expect(asText('#1d4ed8', DARKEST_OF_LIGHT)).toBe('#1d4ed8');
    expect(asText('#facc15', LIGHTEST_OF_DARK)).toBe('#facc15');
    expect(accentStyles('#1d4ed8')).toContain('--accent:#1d4ed8;--on-accent:#ffffff;--link:#1d4ed8');
  });

  it('keeps its hue, and does not turn gray', () => {
    const [red, green, blue] = rgbOf(asText('#0b3d5c', LIGHTEST_OF_DARK));
    expect(blue - red).toBeGreaterThan(80);
    expect([red, green, blue]).toEqual([red, green, blue].toSorted((one, other) => one - other));
  });
});

describe.each(Object.entries(SCHEMES))('the %s color scheme', (_, { of }) => {
  it('gives text a contrast of at least 4.5', () => {
    const backgrounds = [of('ground'), of('raised')].map(rgbOf);
    for (const status of STATUSES) backgrounds.push(tinted(of, status));
    for (const name of ['text', 'quiet'])
      for (const background of backgrounds)
        expect(contrastOf(rgbOf(of(name)), background)).toBeGreaterThanOrEqual(4.5);
  });

  it('gives shapes, bars and signs a contrast of at least 3', () => {
    for (const name of [...STATUSES, 'bar'])
      expect.soft(contrastOf(rgbOf(of(name)), rgbOf(of('ground'))), name).toBeGreaterThanOrEqual(3);
    const sign = of('sign') || SCHEMES.light.of('sign');
    for (const name of STATUSES)
      expect.soft(contrastOf(rgbOf(of(name)), rgbOf(sign)), name).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['', 4.5, ''],
    [' with prefers-contrast: more', 7, '@media (prefers-contrast: more)'],
  ])('gives the white text of an alert%s a contrast of at least %s', (_text, least, media) => {
    expect(SIGNS).toContain('color-mix(in srgb, var(--color) var(--fill), #000)');
    const fill = media === '' ? of('fill') : propertiesAfter(media)('fill');
    expect(fill).toMatch(/^\d\d%$/);
    for (const status of STATUSES.filter((one) => one !== 'ok'))
      expect
        .soft(contrastOf(filled(of, status, fill), rgbOf('#ffffff')), status)
        .toBeGreaterThanOrEqual(least);
  });

  it('shows no mark of a day with less contrast to the page than an operational bar', () => {
    const [ground, bar, strong] = ['ground', 'bar', 'strong'].map((name) => rgbOf(of(name)));
    if (!ground || !bar || !strong) throw new Error('a color is missing');
    for (const status of ['degraded', 'partial', 'major', 'maintenance']) {
      const [, share = ''] = /^  --keep: (\d+)%/m.exec(STYLES.split(`.ground.${status} {`)[1] ?? '') ?? [];
      const [, usual = ''] = /--keep, (\d+)%/.exec(STYLES) ?? [];
      const isOwn = STYLES.includes(`.ground.${status} {`);
      const keep = Number(isOwn ? share : usual) / 100;
      const color = rgbOf(of(status));
      const part = (index: 0 | 1 | 2) => strong[index] + (color[index] - strong[index]) * keep;
      const mark: Rgb = [part(0), part(1), part(2)];
      expect(keep).toBeGreaterThan(0);
      expect.soft(contrastOf(mark, ground), status).toBeGreaterThanOrEqual(contrastOf(bar, ground));
      if (status === 'major') expect(contrastOf(mark, bar)).toBeGreaterThanOrEqual(3);
    }
  });
});
