import { describe, expect, it } from 'vitest';
import { retryAfter } from '../../src/mail/mail-result.js';

const MINUTES = [1, 5, 30, 120, 300, 600, 600, 600, 600];

describe('retry of mail', () => {
  it('follows the schedule for nine failed attempts', () => {
    const ratios = MINUTES.map((minutes, index) => Number(retryAfter(index + 1)) / 60_000 / minutes);
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.101);
  });

  it('ends after two days', () => {
    expect(MINUTES.reduce((sum, minutes) => sum + minutes, 0)).toBeCloseTo(48 * 60, -2);
    expect(retryAfter(MINUTES.length + 1)).toBeNull();
  });
});
