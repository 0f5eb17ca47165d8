import { describe, expect, it } from 'vitest';
import { JsonSize } from '../../src/platform/validation/json-size.js';

const sizeOf = (json: string) => new JsonSize().add(Buffer.from(json));

/** Writes all UTF-16 code units as escapes. */
const escaped = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

describe('JsonSize', () => {
  it.each([
    '',
    'abc',
    '\u007f',
    '\u0080',
    'é',
    '\u07ff',
    '\u0800',
    'あ',
    '\uffff',
    '😀',
    '\u{10ffff}',
    'aé あ😀',
  ])('counts the escapes of %j as the characters in UTF-8', (text) => {
    expect(sizeOf(`"${escaped(text)}"`)).toBe(Buffer.byteLength(text) + 2);
    expect(sizeOf(`"${escaped(text).toUpperCase().replaceAll('U', 'u')}"`)).toBe(Buffer.byteLength(text) + 2);
  });

  it.each([
    ['"\\\\u0041"', 9],
    ['"\\\\\\u0041"', 5],
    ['"\\n\\""', 6],
    ['"\\u00', 5],
    ['\\', 1],
    ['あ', 3],
  ])('counts %s as %i bytes', (json, size) => {
    expect(sizeOf(json)).toBe(size);
  });

  it('returns the same size for chunks of any length', () => {
    const json = Buffer.from(`{"a":"${escaped('aéあ😀')}\\\\u0041\\\\\\u0041"}`);
    for (let length = 1; length < 9; length++) {
      const size = new JsonSize();
      let last = 0;
      for (let at = 0; at < json.length; at += length) last = size.add(json.subarray(at, at + length));
      expect(last).toBe(sizeOf(json.toString()));
    }
  });
});
