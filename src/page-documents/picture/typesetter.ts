import bidiFactory from 'bidi-js/dist/bidi.mjs';
import { Buffer as ShapedText, Direction, type Font, shape } from 'harfbuzzjs';
import type { Character } from './characters.js';

const bidi = bidiFactory();

/** Glyph of a character that the font does not contain: a box. */
const MISSING = 0;

/** Part of a line in one font and direction. */
interface Run {
  text: string;
  font: Font;
  /** Embedding level (UAX 9). Odd levels are right-to-left. */
  level: number;
}

interface Glyph {
  font: Font;
  id: number;
  /** Position and advance in em, from the left end of the line. */
  x: number;
  y: number;
}

/** Size and position of a line, in pixels. */
interface Place {
  size: number;
  /** Left end. */
  x: number;
  baseline: number;
}

/** Returns the width of a line, in em. */
export function widthOf(line: Character[]): number {
  return shaped(line).width;
}

/** Draws a line as SVG paths. A path needs no font, and cannot contain markup. */
export function drawLine(line: Character[], { size, x, baseline }: Place): string {
  return shaped(line)
    .glyphs.map(({ font, id, x: left, y }) => {
      const scale = size / font.face.upem;
      const matrix = [scale, 0, 0, -scale, x + left * size, baseline - y * size].map(rounded);
      return `<path transform="matrix(${matrix.join(' ')})" d="${font.glyphToPath(id)}"/>`;
    })
    .join('');
}

const rounded = (value: number) => Number(value.toFixed(4));

function shaped(line: Character[]): { glyphs: Glyph[]; width: number } {
  const glyphs: Glyph[] = [];
  let width = 0;
  for (const { text, font, level } of visualOrder(runsOf(line))) {
    const em = font.face.upem;
    const buffer = new ShapedText();
    buffer.addText(text);
    buffer.setDirection(isRightToLeft(level) ? Direction.RTL : Direction.LTR);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    const positions = buffer.getGlyphPositions();
    for (const [index, { codepoint: id }] of buffer.getGlyphInfos().entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      if (id === MISSING) continue;
      glyphs.push({ font, id, x: width + xOffset / em, y: yOffset / em });
      width += xAdvance / em;
    }
  }
  return { glyphs, width };
}

/** Returns whether a text is read from right to left. */
export function startsRight(line: Character[]): boolean {
  return isRightToLeft(bidi.getEmbeddingLevels(textOf(line)).paragraphs[0]?.level ?? 0);
}

const isRightToLeft = (level: number) => level % 2 === 1;

const textOf = (line: Character[]) => line.map(({ text }) => text).join('');

/** Returns the runs of a line, in reading order. */
function runsOf(line: Character[]): Run[] {
  const { levels } = bidi.getEmbeddingLevels(textOf(line));
  const runs: Run[] = [];
  let start = 0;
  for (const { text, font } of line) {
    const level = levels[start] ?? 0;
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.text += text;
    else runs.push({ text, font, level });
    start += text.length;
  }
  return runs;
}

/** Returns runs from left to right (UAX 9, rule L2): reverses each sequence of a level or higher, highest level first. */
function visualOrder(runs: Run[]): Run[] {
  let ordered = runs;
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--) {
    const next: Run[] = [];
    let sequence: Run[] = [];
    for (const run of ordered) {
      if (run.level >= level) sequence.push(run);
      else {
        next.push(...sequence.toReversed(), run);
        sequence = [];
      }
    }
    ordered = [...next, ...sequence.toReversed()];
  }
  return ordered;
}
