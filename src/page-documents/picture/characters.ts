import type { Font } from 'harfbuzzjs';
import { fontFor, type HanLanguage } from './fonts.js';

/** A user-perceived character, and a font that contains it. */
export interface Character {
  text: string;
  font: Font;
}

const ELLIPSIS = '…';
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
const MARKS = /\p{Mark}/gu;
const READ = /[\p{Letter}\p{Number}]/u;

/**
 * Returns a text as characters of our fonts, on one line. Leaves out emoji and symbols that no font contains.
 * @param max maximum number of characters, which bounds the number of fonts. A longer text ends with an ellipsis.
 * @returns undefined if no font contains one of the letters or digits, or if nothing remains
 */
export async function charactersOf(
  text: string,
  han: HanLanguage,
  max: number,
): Promise<Character[] | undefined> {
  const graphemes = Array.from(GRAPHEMES.segment(text.normalize('NFC')), ({ segment }) => segment);
  const kept = graphemes.length > max ? [...graphemes.slice(0, max - 1), ELLIPSIS] : graphemes;
  const found: Character[] = [];
  for (const one of kept.map((grapheme) => grapheme.replace(/^\s+$/, ' '))) {
    const character = await characterOf(one, han);
    if (!character && READ.test(one)) return undefined;
    const isExtraSpace = one === ' ' && (found.at(-1)?.text ?? ' ') === ' ';
    if (character && !isExtraSpace) found.push(character);
  }
  return found.length === 0 ? undefined : trimmed(found);
}

/** Returns the character that stands for cut text. */
export async function ellipsis(): Promise<Character> {
  const found = await characterOf(ELLIPSIS, 'other');
  if (!found) throw new Error('no font contains an ellipsis');
  return found;
}

/** Returns characters without a space at the end. */
export function trimmed(characters: Character[]): Character[] {
  return characters.at(-1)?.text === ' ' ? characters.slice(0, -1) : characters;
}

async function characterOf(text: string, han: HanLanguage): Promise<Character | undefined> {
  const visible = text.replaceAll(IGNORED, '');
  if (visible === '') return undefined;
  const font = await fontFor(codePointsOf(visible), han);
  if (font) return { text, font };
  // Without its accents, a letter can still be read.
  const base = visible.replaceAll(MARKS, '');
  return base === visible ? undefined : characterOf(base, han);
}

const codePointsOf = (text: string) => Array.from(text, (one) => one.codePointAt(0) ?? 0);
