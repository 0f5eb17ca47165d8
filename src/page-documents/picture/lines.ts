import { type Character, trimmed } from './characters.js';
import { widthOf } from './typesetter.js';

/** Space for a text, in pixels. */
export interface Space {
  width: number;
  lines: number;
  /** Font sizes, largest first. */
  sizes: readonly number[];
}

/** A text that fits into its space. */
export interface FittedText {
  size: number;
  lines: Character[][];
}

/** Characters between two places where a line can break. */
interface Word {
  start: number;
  /** Without a space at its end, in em. */
  width: number;
  /** With it. */
  advance: number;
}

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'word' });
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Words that can begin a line. In Japanese, words in Hiragana usually end a phrase. */
const BEGINS_LINE = /(?!\p{Script=Hiragana})[\p{Letter}\p{Number}]/u;
/** Widths that are tried for lines of equal length, which look better than a full line and one word. */
const BALANCE_STEPS = 16;

/** Returns a text in the largest font size in which it fits. If it fits in none, it ends with an ellipsis. */
export function fit(text: Character[], space: Space, ellipsis: Character): FittedText {
  const words = wordsOf(text);
  const linesOf = (starts: number[]) =>
    starts.map((start, index) => trimmed(text.slice(start, starts[index + 1])));
  let size = 0;
  for (size of space.sizes) {
    const width = space.width / size;
    const fits = (lines: Character[][]) => lines.every((line) => widthOf(line) <= width);
    const starts = wrapped(words, width);
    if (starts.length > space.lines || !fits(linesOf(starts))) continue;
    for (let step = 1; step < BALANCE_STEPS; step++) {
      const balanced = wrapped(words, (width * step) / BALANCE_STEPS);
      if (balanced.length === starts.length && fits(linesOf(balanced)))
        return { size, lines: linesOf(balanced) };
    }
    return { size, lines: linesOf(starts) };
  }
  const starts = wrapped(words, space.width / size).slice(0, space.lines);
  return { size, lines: linesOf(starts).map((line) => shortened(line, space.width / size, ellipsis)) };
}

/** Returns a line that fits into a width in em: the line itself, or its beginning with an ellipsis. */
function shortened(line: Character[], width: number, ellipsis: Character): Character[] {
  if (widthOf(line) <= width) return line;
  const cut = (length: number) => [...trimmed(line.slice(0, length)), ellipsis];
  let [fitting, tooLong] = [0, line.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (widthOf(cut(middle)) <= width) fitting = middle;
    else tooLong = middle;
  }
  return cut(fitting);
}

/** Returns the start of each line. A line is longer than `width` if it is one word. */
function wrapped(words: Word[], width: number): number[] {
  const starts: number[] = [];
  let used = Infinity;
  for (const word of words) {
    if (used + word.width > width) {
      starts.push(word.start);
      used = 0;
    }
    used += word.advance;
  }
  return starts;
}

function wordsOf(text: Character[]): Word[] {
  const starts = breaksOf(text);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? text.length;
    const characters = text.slice(start, end);
    const width = widthOf(trimmed(characters));
    return { start, width, advance: widthOf(characters) };
  });
}

/** Returns where a line can begin: after a space, and before each word of a script without spaces. */
function breaksOf(text: Character[]): number[] {
  const breaks = new Set([0]);
  const wordStarts = new Set<number>();
  for (const { index, segment } of SEGMENTS.segment(text.map((one) => one.text).join('')))
    if (BEGINS_LINE.test(segment)) wordStarts.add(index);
  let offset = 0;
  for (const [index, { text: one }] of text.entries()) {
    const before = text[index - 1]?.text ?? '';
    const isUnspaced = UNSPACED.test(one) || UNSPACED.test(before);
    if (before === ' ' || (isUnspaced && wordStarts.has(offset))) breaks.add(index);
    offset += one.length;
  }
  return [...breaks];
}
