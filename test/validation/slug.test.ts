import { describe, expect, it } from 'vitest';
import { checkSlug, isSlug, numberDuplicates, withSuffix } from '../../src/platform/validation/slug.js';

const FORMAT = 'must be lower-case letters and digits, in parts joined by single "-"';

describe('slug', () => {
  it.each(['a', '0', 'acme-cloud', '1-2-3', 'x'.repeat(63)])('accepts %s', (value) => {
    expect([checkSlug(value), isSlug(value)]).toEqual([[], true]);
  });

  it.each<[unknown, string, string]>([
    [7, 'invalid_type', 'must be a string'],
    [null, 'invalid_type', 'must be a string'],
    [['acme'], 'invalid_type', 'must be a string'],
    ['x'.repeat(64), 'too_long', 'must have 1 to 63 characters'],
    ['', 'invalid_format', FORMAT],
    ['Acme', 'invalid_format', FORMAT],
    ['-acme', 'invalid_format', FORMAT],
    ['acme-', 'invalid_format', FORMAT],
    ['acme--cloud', 'invalid_format', FORMAT],
    ['acme\n', 'invalid_format', FORMAT],
  ])('rejects %j: %s', (value, code, detail) => {
    expect(checkSlug(value)).toEqual([expect.objectContaining({ code, detail })]);
    expect(isSlug(value)).toBe(false);
  });

  it('gets a suffix without more characters than the maximum, and without a double hyphen', () => {
    expect(withSuffix('x'.repeat(63), '-2')).toBe(`${'x'.repeat(61)}-2`);
    expect(withSuffix(`${'x'.repeat(59)}---y`, '-2')).toBe(`${'x'.repeat(59)}-2`);
    expect(withSuffix('abcdef', '-10', 6)).toBe('abc-10');
    expect(withSuffix('a-b-c', '-2')).toBe('a-b-c-2');
  });

  it('gets a number if it is a duplicate or used, also after it was shortened', () => {
    expect(numberDuplicates(['api', 'web', 'api', 'api'])).toEqual(['api', 'web', 'api-2', 'api-3']);
    expect(numberDuplicates(['api', 'api'], { used: ['api', 'api-2'] })).toEqual(['api-3', 'api-4']);
    expect(numberDuplicates(['long-1', 'long-2'], { max: 5 })).toEqual(['long', 'lon-2']);
  });
});
