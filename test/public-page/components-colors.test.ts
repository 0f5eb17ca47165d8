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
  return mixed(of(status), of('tint').slice(0, -1), of('ground'));
}

/** Returns a color of which a percentage is mixed with another one, as `color-mix` in the stylesheet computes it. */
function mixed(color: string, percentage: string | undefined, other: string): Rgb {
  const share = Number(percentage) / 100;
  const [one, two] = [rgbOf(color), rgbOf(other)];
  const part = (index: 0 | 1 | 2) => two[index] + (one[index] - two[index]) * share;
  return [part(0), part(1), part(2)];
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

/** Statuses with an alert. */
const ALERTS = STATUSES.filter((status) => status !== 'ok');

describe('the text of an alert', () => {
  it('reaches a contrast of 4.5 in the light color scheme', () => {
    const [, fill] = /color-mix\(in srgb, var\(--color\) var\(--fill, (\d+)%\), #000\)/.exec(SIGNS) ?? [];
    const [, on = '', ink = ''] = /\.alert\.degraded \{\s+--on: (#\w+);\s+--ink: (#\w+)/.exec(SIGNS) ?? [];
    const { of } = SCHEMES.light;
    expect(contrastOf(rgbOf(on), rgbOf(ink))).toBeGreaterThanOrEqual(7);
    for (const status of ALERTS.filter((one) => one !== 'degraded'))
      expect
        .soft(contrastOf(mixed(of(status), fill, '#000000'), rgbOf('#ffffff')), status)
        .toBeGreaterThanOrEqual(4.5);
  });

  it('reaches a contrast of 4.5 in the dark color scheme, and its icon reaches 3', () => {
    const [, fill] = /--on: color-mix\(in srgb, var\(--color\) (\d+)%, var\(--ground\)\)/.exec(SIGNS) ?? [];
    const { of } = SCHEMES.dark;
    for (const status of ALERTS) {
      const background = mixed(of(status), fill, of('ground'));
      expect.soft(contrastOf(background, rgbOf(of('text'))), status).toBeGreaterThanOrEqual(4.5);
      expect.soft(contrastOf(background, rgbOf(of(status))), status).toBeGreaterThanOrEqual(3);
    }
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

  it('gives the text of an alert with prefers-contrast: more a contrast of at least 7', () => {
    const [, fill] = /\(prefers-contrast: more\) \{\s+\.alert \{\s+--fill: (\d+)%/.exec(SIGNS) ?? [];
    for (const status of ALERTS)
      expect
        .soft(contrastOf(mixed(of(status), fill, '#000000'), rgbOf('#ffffff')), status)
        .toBeGreaterThanOrEqual(7);
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
