import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../src/webhooks/retry-schedule.js';
import { parseRetryAfter } from '../../src/platform/network/retry-after.js';
import { useSenders } from './use-sender.js';

const { sender, receiver } = useSenders();

describe('Retry-After', () => {
  const now = Date.parse('2026-11-25T10:00:00Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['99999999999999999999', 86_400_000],
    ['Wed, 25 Nov 2026 10:01:00 GMT', 60_000],
    ['Wednesday, 25-Nov-26 10:01:00 GMT', 60_000],
    ['Wed Nov 25 10:01:00 2026', 60_000],
    ['Tue, 24 Nov 2026 10:01:00 GMT', 0],
    ['Fri, 27 Nov 2026 10:01:00 GMT', 86_400_000],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['2026-11-25T10:01:00Z', null],
    ['Wed, 25 Xyz 2026 10:01:00 GMT', null],
    [undefined, null],
  ])('means %s: %s ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  it('appears in the result of a failed attempt', async () => {
    const target = await receiver();
    target.respond = (response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(
      (await sender({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }).post(target.url(), {}, '{}')).retry_after_ms,
    ).toBe(7_000);
  });
});

describe('pause before the next attempt', () => {
  const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it('follows the schedule for nine failed attempts', () => {
    const ratios = SECONDS.map((seconds, index) => Number(pauseAfter(index + 1, null)) / 1_000 / seconds);
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.201);
    expect(pauseAfter(SECONDS.length + 1, null)).toBeNull();
  });

  it('becomes longer by Retry-After, but never shorter', () => {
    expect(pauseAfter(1, 60_000)).toBe(60_000);
    expect(pauseAfter(2, 1_000)).toBeGreaterThanOrEqual(240_000);
    expect(pauseAfter(SECONDS.length + 1, 1_000)).toBeNull();
  });
});
