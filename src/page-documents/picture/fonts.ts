import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

// Fonts from npm packages, so that a picture is the same on every machine, including machines without fonts. The packages split
// fonts into files by character, so only a few files are loaded.

const require = createRequire(import.meta.url);

/** A font file, and the characters in it. */
interface FontFile {
  path: string;
  /** First and last code point of each range. */
  ranges: readonly (readonly [number, number])[];
}

/** A font family, and the subsets of its package that are used. */
interface Family {
  name: string;
  axes: 'opsz' | 'wght';
  subsets: RegExp;
}

/** Subsets of the Chinese, Japanese and Korean fonts, which the packages number. */
const NUMBERED = /^\[\d+\]$/;

const INTER: Family = { name: 'inter', axes: 'opsz', subsets: /^(?:latin|greek|cyrillic|vietnamese)/ };
const HEBREW: Family = { name: 'noto-sans-hebrew', axes: 'wght', subsets: /^hebrew$/ };
const ARABIC: Family = { name: 'noto-sans-arabic', axes: 'wght', subsets: /^arabic$/ };
const JAPANESE: Family = { name: 'noto-sans-jp', axes: 'wght', subsets: NUMBERED };
const CHINESE: Family = { name: 'noto-sans-sc', axes: 'wght', subsets: NUMBERED };
const KOREAN: Family = { name: 'noto-sans-kr', axes: 'wght', subsets: NUMBERED };

/** Families for a text, first match first. Many Han characters look different in Japanese. */
const FAMILIES = {
  ja: [INTER, HEBREW, ARABIC, JAPANESE, CHINESE, KOREAN],
  other: [INTER, HEBREW, ARABIC, CHINESE, JAPANESE, KOREAN],
};

/** Language whose Han characters are drawn. */
export type HanLanguage = keyof typeof FAMILIES;

/** Weight of all text, from 100 to 900, and the optical size for display text. */
const VARIATIONS = [new Variation('wght', 650), new Variation('opsz', 32)];

/** Files in memory. Each has 100 to 400 kB. */
const MAX_FONTS = 64;

const fonts = new LRUCache<string, Promise<Font>>({ max: MAX_FONTS });
const indexes = new Map<Family, FontFile[]>();

/** Returns a font that contains all these code points, or undefined. */
export async function fontFor(codePoints: number[], han: HanLanguage): Promise<Font | undefined> {
  for (const family of FAMILIES[han])
    for (const file of filesOf(family)) {
      if (!codePoints.every((one) => contains(file, one))) continue;
      const font = await loadFont(file.path);
      // The ranges also contain characters that the font lacks.
      if (codePoints.every((one) => font.nominalGlyph(one))) return font;
    }
  return undefined;
}

function loadFont(path: string): Promise<Font> {
  const loading = fonts.get(path) ?? load(path);
  fonts.set(path, loading);
  return loading;
}

async function load(path: string): Promise<Font> {
  const font = new Font(new Face(new Blob(await decompress(await readFile(path)))));
  font.setVariations(VARIATIONS);
  return font;
}

function filesOf(family: Family): FontFile[] {
  const known = indexes.get(family);
  if (known) return known;
  const { name, axes, subsets } = family;
  const ranges: Record<string, string> = require(`@fontsource-variable/${name}/unicode.json`);
  const files = Object.entries(ranges)
    .filter(([subset]) => subsets.test(subset))
    .map(([subset, text]) => {
      const file = `${name}-${subset.replaceAll(/[[\]]/g, '')}-${axes}-normal.woff2`;
      return { path: require.resolve(`@fontsource-variable/${name}/files/${file}`), ranges: rangesOf(text) };
    });
  indexes.set(family, files);
  return files;
}

/** Parses `U+0301,U+0400-045F`. */
function rangesOf(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

function contains({ ranges }: FontFile, codePoint: number): boolean {
  return ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
}
