import { expect, it } from 'vitest';
import { MemoryCounts } from '../../src/platform/server/memory-counts.js';

const MAX_SUBJECTS = 20_000;

it('in-memory counts evict the least recently used subject', () => {
  const counts = new MemoryCounts();
  counts.add('first');
  counts.add('busy');
  for (let subject = 0; subject < MAX_SUBJECTS; subject++) {
    counts.add(`subject ${subject}`);
    if (subject % 1_000 === 0) counts.get('busy');
  }
  expect(counts.get('first')).toBeUndefined();
  expect(counts.add('busy').consumedPoints).toBe(2);
  expect(counts.add(`subject ${MAX_SUBJECTS - 1}`).consumedPoints).toBe(2);
});
