import { describe, expect, it } from 'vitest';
import { FairQueue, type Place } from '../../src/platform/server/fair-queue.js';

/** Half of the slots for strangers and for each owner, as for visitors with a pool of ten connections. */
const LIMITS = { running: 4, last: 2, each: 2, waiting: 256, waitMs: 5_000 };

/** A queue whose tasks end on demand. */
function useQueue(limits: Partial<typeof LIMITS> = {}) {
  const queue = new FairQueue({ ...LIMITS, ...limits }, () => new Error('full'));
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const done: Promise<unknown>[] = [];
  const add = (name: string, place: Place, count = 1) => {
    for (let index = 0; index < count; index++)
      done.push(
        queue.run(place, () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.push(resolve));
        }),
      );
  };
  /** Ends the oldest task, and returns the names of those that have begun since. */
  const endOne = async (): Promise<string[]> => {
    const before = begun.length;
    ends.shift()?.();
    await new Promise(setImmediate);
    return begun.slice(before);
  };
  /** Ends all tasks one after the other, and returns their names in the order in which they began. */
  const drain = async (): Promise<string[]> => {
    while (ends.length > 0) await endOne();
    await Promise.all(done);
    return begun;
  };
  return { queue, begun, add, endOne, drain };
}

const stranger = (owner: string, lane = ''): Place => ({ owner, lane, rank: 'last' });

describe('a fair queue', () => {
  it('immediately starts a task of another owner during a flood', async () => {
    const { begun, add, drain } = useQueue();
    add('flooded', { owner: 'A' }, 50);
    add('other', { owner: 'B' });
    expect(begun).toEqual(['flooded', 'flooded', 'other']);
    expect(await drain()).toHaveLength(51);
  });

  it('lets an owner wait for one task of each other owner at most', async () => {
    const { add, drain, begun } = useQueue({ running: 1, each: 1 });
    for (const owner of ['A', 'B', 'C']) add(owner, { owner }, 20);
    add('D', { owner: 'D' });
    await drain();
    expect(begun.slice(0, 6)).toEqual(['A', 'A', 'B', 'C', 'D', 'A']);
  });

  it('serves the lanes of an owner in turn', async () => {
    const { add, drain } = useQueue({ running: 1, each: 1 });
    add('page 1', { owner: 'A', lane: '1' }, 4);
    add('page 2', { owner: 'A', lane: '2' }, 1);
    expect(await drain()).toEqual(['page 1', 'page 1', 'page 2', 'page 1', 'page 1']);
  });

  it('starts the first rank before the last, and one of the last after three of the first', async () => {
    const { add, drain } = useQueue({ running: 1, each: 1 });
    add('running', { owner: 'A' });
    for (const owner of ['A', 'B', 'C', 'D']) add('stranger', stranger(owner), 2);
    for (const owner of ['E', 'F', 'G', 'H', 'I']) add('first', { owner });
    expect((await drain()).slice(1, 9)).toEqual(
      'first first stranger first first first stranger stranger'.split(' '),
    );
  });

  it('leaves half of the slots to the first rank, and runs one task of the last rank for each owner', async () => {
    const { begun, add, drain } = useQueue();
    for (const owner of ['A', 'B', 'C', 'D']) add(`stranger of ${owner}`, stranger(owner), 100);
    expect(begun).toEqual(['stranger of A', 'stranger of B']);
    add('visitor of A', { owner: 'A' });
    add('visitor of E', { owner: 'E' });
    expect(begun.slice(2)).toEqual(['visitor of A', 'visitor of E']);
    await drain();
  });

  it('rejects tasks of a full lane, and of no other', async () => {
    const { queue, add, drain } = useQueue({ waiting: 3 });
    add('page 1', stranger('A', '1'), 4);
    await expect(queue.run(stranger('A', '1'), async () => 'never')).rejects.toThrow('full');
    add('page 2', stranger('A', '2'));
    add('first', { owner: 'A', lane: '1' });
    expect(await drain()).toHaveLength(6);
  });

  it('releases the slot of a task that fails', async () => {
    const { queue } = useQueue({ running: 1, each: 1 });
    const fail = () => queue.run({ owner: 'A' }, () => Promise.reject(new Error('broken')));
    for (let count = 0; count < 3; count++) await expect(fail()).rejects.toThrow('broken');
    expect(await queue.run({ owner: 'A' }, async () => 'done')).toBe('done');
  });
});
