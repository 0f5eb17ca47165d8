import { describe, expect, it } from 'vitest';
import { TurnQueue } from '../src/turn-queue.js';

const SERVED_PER_SECOND = 100;
const CHECK_MS = 100;

/** A queued request of a client that disconnects after `patience` milliseconds. */
interface Waiting {
  readonly since: number;
  state: 'waiting' | 'held' | 'over';
}

/**
 * Simulates arrivals at `times` the capacity, with a simulated clock in milliseconds. Returns the share of the capacity that served
 * clients that still waited. The first five seconds do not count, because the queue has yet to detect the overload.
 */
function usefulShare(times: number, patience: number, seconds = 20): number {
  const queue = new TurnQueue<Waiting>();
  const clients: Waiting[] = [];
  let [arrived, served, useful] = [0, 0, 0];
  for (let now = 0; now < seconds * 1_000; now++) {
    for (; arrived < (now / 1_000) * SERVED_PER_SECOND * times; arrived++) {
      const client: Waiting = { since: now, state: 'waiting' };
      queue.add(client);
      clients.push(client);
    }
    // The client receives the response some time after its request started.
    for (; served < (now / 1_000) * SERVED_PER_SECOND; served++) {
      const client = queue.take();
      if (!client) continue;
      client.state = 'held';
      if (now > 5_000 && now - client.since < patience - 100) useful += 1;
    }
    for (; clients[0] && now - clients[0].since >= patience; clients.shift()) {
      if (clients[0].state !== 'waiting') continue;
      clients[0].state = 'over';
      queue.leave();
    }
    if (now % CHECK_MS === 0) for (const expired of queue.expire(now)) expired.state = 'over';
  }
  return useful / ((seconds - 5) * SERVED_PER_SECOND);
}

describe('TurnQueue', () => {
  it.each([
    [2, 2_000],
    [5, 2_000],
    [1.2, 2_000],
    [2, 1_000],
    [5, 500],
    [2, 10_000],
  ])(
    'serves clients that still wait during overload (%s × the capacity, clients that wait %s ms)',
    (times, patience) => {
      expect(usefulShare(times, patience)).toBeGreaterThan(0.9);
    },
  );

  it('serves a burst in order if the queue becomes shorter', () => {
    const queue = new TurnQueue<Waiting>();
    const burst = Array.from({ length: 300 }, (): Waiting => ({ since: 0, state: 'waiting' }));
    for (const item of burst) queue.add(item);
    const order: (Waiting | undefined)[] = [];
    for (let now = 10; order.length < burst.length; now += 10) {
      if (now % CHECK_MS === 0) expect(queue.expire(now)).toEqual([]);
      order.push(queue.take());
    }
    expect(order.every((item, index) => item === burst[index])).toBe(true);
  });
});
