// Colors derived from the accent color of a page, with the contrast of WCAG 2.2.

import type { PageBranding } from '../../page-model/branding.js';

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/**
 * The backgrounds of `page.css` that contrast least with links: the darkest one of the light scheme, and the lightest one of
 * the dark scheme.
 */
export const DARKEST_OF_LIGHT = '#f1f1ee';
export const LIGHTEST_OF_DARK = '#22262b';

/** Minimum contrast of text with its background (WCAG 1.4.3, level AA). */
const MIN_CONTRAST = 4.5;

const MIX_STEPS = 64;

/** @param hex `#rrggbb` */
export function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const hexOf = (rgb: Rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const linear = (value: number) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Rgb) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Returns the contrast of two colors, 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns black or white, whichever has the higher contrast with a color: at least 4.58. */
export function textOn(hex: string): string {
  const color = rgbOf(hex);
  return contrastOf(color, BLACK) >= contrastOf(color, WHITE) ? '#000000' : '#ffffff';
}

/** Returns a color as text on a background, mixed with as little black or white as necessary for the minimum contrast. */
export function asText(hex: string, backgroundHex: string): string {
  const [color, background] = [rgbOf(hex), rgbOf(backgroundHex)];
  const end = rgbOf(textOn(backgroundHex));
  for (let step = 0; step < MIX_STEPS; step++) {
    const mixed = mix(color, end, step / MIX_STEPS);
    if (contrastOf(mixed, background) >= MIN_CONTRAST) return hexOf(mixed);
  }
  return hexOf(end);
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
}

/** Proportion of black in the header in the dark scheme, to avoid glare. */
const DARKENED = 0.3;

/** Returns the color of the header in the dark scheme. */
export function darkAccent(hex: string): string {
  return hexOf(mix(rgbOf(hex), BLACK, DARKENED));
}

/** Media feature of the dark scheme in `page.css`. */
export const DARK_SCHEME = '(prefers-color-scheme: dark)';

/** Media features that replace it on pages that always have one scheme: always and never true. */
const ALWAYS: Record<PageBranding['theme'], string> = {
  auto: DARK_SCHEME,
  dark: '(min-width: 0)',
  light: '(max-width: 0)',
};

/** Returns a stylesheet for pages that always have one color scheme. */
export function inTheme(styles: string, theme: PageBranding['theme']): string {
  return styles.replaceAll(DARK_SCHEME, ALWAYS[theme]);
}

/** Returns the custom properties of an accent color, for the stylesheet. */
export function accentStyles(hex: string): string {
  const properties = (accent: string, background: string) =>
    `:root{--accent:${accent};--on-accent:${textOn(accent)};--link:${asText(hex, background)}}`;
  const dark = properties(darkAccent(hex), LIGHTEST_OF_DARK);
  return `${properties(hex, DARKEST_OF_LIGHT)}@media screen and ${DARK_SCHEME}{${dark}}`;
}
