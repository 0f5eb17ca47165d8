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

/** Minimum contrast of text with its background (WCAG 1.4.3, level AA), and of shapes (1.4.11). */
const [TEXT_CONTRAST, SHAPE_CONTRAST] = [4.5, 3];

/** Halvings of a range between 0 and 1, after which it is as small as a step of a color. */
const HALVINGS = 8;

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

/** Returns a color as text on a background: with the nearest lightness that has the minimum contrast. Keeps its hue. */
export const asText = (hex: string, background: string): string => legible(hex, background, TEXT_CONTRAST);

/** Returns a color as a line or an area on a background, as {@link asText}. */
export const asShape = (hex: string, background: string): string => legible(hex, background, SHAPE_CONTRAST);

function legible(hex: string, backgroundHex: string, contrast: number): string {
  const background = rgbOf(backgroundHex);
  const isLegible = (color: Rgb) => contrastOf(color, background) >= contrast;
  if (isLegible(rgbOf(hex))) return hex;
  const [lightness, a, b] = oklabOf(rgbOf(hex));
  const end = textOn(backgroundHex) === '#ffffff' ? 1 : 0;
  const share = leastShare((one) => isLegible(inGamut(lightness + (end - lightness) * one, a, b)));
  return hexOf(inGamut(lightness + (end - lightness) * share, a, b));
}

/** Returns the least number from 0 to 1 that passes a test, which all higher numbers pass. */
function leastShare(passes: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}

// Oklab (https://bottosson.github.io/posts/oklab/): colors of one lightness look equally light, and colors of one hue alike, unlike
// mixtures of red, green and blue, which turn gray.

type Lab = readonly [lightness: number, a: number, b: number];

function oklabOf(rgb: Rgb): Lab {
  const [r, g, b] = [linear(rgb[0]), linear(rgb[1]), linear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Returns the color with this lightness and hue, and with as much of the chroma as sRGB contains. */
function inGamut(lightness: number, a: number, b: number): Rgb {
  const at = (gray: number) => linearRgbOf([lightness, a * (1 - gray), b * (1 - gray)]);
  const gray = leastShare((one) => at(one).every((value) => value >= -1e-4 && value <= 1 + 1e-4));
  const [red = 0, green = 0, blue = 0] = at(gray).map(encoded);
  return [red, green, blue];
}

function linearRgbOf([lightness, a, b]: Lab): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(value: number): number {
  const share = Math.min(1, Math.max(0, value));
  return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
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
  const properties = (background: string) => {
    const accent = asShape(hex, background);
    return `:root{--accent:${accent};--on-accent:${textOn(accent)};--link:${asText(hex, background)}}`;
  };
  return `${properties(DARKEST_OF_LIGHT)}@media screen and ${DARK_SCHEME}{${properties(LIGHTEST_OF_DARK)}}`;
}
