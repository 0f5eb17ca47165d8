import { describe, expect, it } from 'vitest';
import { TurnQueue } from '../src/turn-queue.js';

const SERVED_PER_SECOND = 100;
const CHECK_MS = 100;

/** A waiting request of a client that closes its connection after `patience` milliseconds. */
interface Waiting {
  readonly since: number;
  state: 'waiting' | 'held' | 'over';
}

/**
 * Simulates arrivals at a multiple of what is served, in milliseconds of a clock of its own. Returns the share of the
 * capacity that went to clients that still waited, from the fifth second on, when the queue has seen what arrives.
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
    // The client receives a response some time after its turn began.
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

describe('in a lasting overload, the requests that are served are those of clients that still wait', () => {
  it.each([
    [2, 2_000],
    [5, 2_000],
    [1.2, 2_000],
    [2, 1_000],
    [5, 500],
    [2, 10_000],
  ])('arrivals at %s × of what is served, clients that wait %s ms', (times, patience) => {
    expect(usefulShare(times, patience)).toBeGreaterThan(0.9);
  });
});

it('a burst is served in order, and a queue that becomes shorter is no overload', () => {
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
