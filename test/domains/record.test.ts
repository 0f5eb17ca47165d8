import { describe, expect, it } from 'vitest';
import { isAmong, recordOf } from '../../src/domains/domain-record.js';

const record = recordOf({ domain: 'status.acme.example', status_page_id: 'page' });
const { value } = record;

describe('the search for the record of a domain', () => {
  it('finds it with the quotes and spaces that DNS providers keep around it', () => {
    for (const one of [value, `"${value}"`, ` "${value}" `, `${' '.repeat(50)}${value}\t`])
      expect(isAmong(record, ['other', one])).toBe(true);
  });

  it('finds it in no other values', () => {
    const others = [
      '',
      'v=spf1',
      `x${value}`,
      `${value}0`,
      `${value} ${value}`,
      value.slice(1),
      value.toUpperCase(),
    ];
    expect(others.filter((one) => isAmong(record, [one]))).toEqual([]);
  });

  it.each([
    ['one value', ['x' + ' "'.repeat(32_000) + 'x']],
    ['one value with the record at its end', [' '.repeat(64_000) + value + 'x']],
    ['many values', Array.from({ length: 5_000 }, () => `x${' '.repeat(11)}x`)],
    [
      'many values with the record',
      Array.from({ length: 400 }, () => `${' "'.repeat(40)}${value}${' '.repeat(19)}x`),
    ],
  ])('ends quickly for 64 kB of spaces and quotes in %s', (_, values) => {
    const started = performance.now();
    expect(isAmong(record, values)).toBe(false);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
