import { expect, it } from 'vitest';
import { spread } from '../../src/platform/tasks/spread.js';

it('times spread evenly, up to a part earlier or later', () => {
  const times = Array.from({ length: 1_000 }, () => spread(100, 0.2));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(80);
  expect(Math.max(...times)).toBeLessThanOrEqual(120);
  for (const [from, to] of [
    [80, 90],
    [90, 110],
    [110, 120],
  ] as const)
    expect(times.some((time) => time >= from && time < to)).toBe(true);
});
