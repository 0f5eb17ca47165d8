import type { SaxesTagNS } from 'saxes';
import { MAX_SIDE } from './image-values.js';
import { invalidImage } from './invalid-image.js';

/** Natural size of an SVG, in whole CSS pixels. */
export interface SvgSize {
  width: number;
  height: number;
}

/** CSS pixels of a unit (CSS Values 4, section 6.2). */
const PIXELS: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

const LENGTH = /^\s*\+?(\d+(?:\.\d*)?|\.\d+)(px|pt|pc|in|cm|mm)?\s*$/i;
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i;

/**
 * Returns the size of an SVG: its `width` and `height`, or the ones of its `viewBox`. If only one is set, the other follows from
 * the `viewBox`.
 * @throws Problem 400 `invalid_image` if it has no size, or is too large
 */
export function svgSize({ attributes }: SaxesTagNS): SvgSize {
  const [width, height] = [lengthOf(attributes['width']?.value), lengthOf(attributes['height']?.value)];
  const box = viewBoxOf(attributes['viewBox']?.value);
  const size = {
    width: Math.round(width ?? (height && box ? (height * box.width) / box.height : (box?.width ?? 0))),
    height: Math.round(height ?? (width && box ? (width * box.height) / box.width : (box?.height ?? 0))),
  };
  if (size.width < 1 || size.height < 1)
    throw invalidImage(
      'The SVG must have a size: set width and height of the svg element in pixels, or its viewBox',
    );
  if (size.width > MAX_SIDE || size.height > MAX_SIDE)
    throw invalidImage(
      `The SVG must have at most ${MAX_SIDE} × ${MAX_SIDE} pixels: set smaller values of width and height of the svg element`,
    );
  return size;
}

/** Returns a length in pixels, or undefined if it is omitted or relative, such as `100%`. */
function lengthOf(value: string | undefined): number | undefined {
  const [, number, unit = ''] = LENGTH.exec(value ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (PIXELS[unit.toLowerCase()] ?? 1);
}

function viewBoxOf(value: string | undefined): SvgSize | undefined {
  const numbers = (value ?? '').trim().split(/[\s,]+/);
  const [, , width, height] =
    numbers.length === 4 && numbers.every((one) => NUMBER.test(one)) ? numbers.map(Number) : [];
  return width !== undefined && height !== undefined && width > 0 && height > 0
    ? { width, height }
    : undefined;
}
