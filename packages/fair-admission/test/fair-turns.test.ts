import { describe, expect, it, vi } from 'vitest';
import { FairTurns } from '../src/index.js';

describe('FairTurns', () => {
  it('ignores the second release of a slot, even if its tenant holds others', async () => {
    const turns = new FairTurns(5);
    let started = 0;
    const handlers = { start: () => (started += 1), refuse: () => undefined };
    // Like an import, which releases its slot after its file is read, and again at the end of its response.
    const first = turns.take('tenant', handlers);
    turns.end(first);
    const later = Array.from({ length: 6 }, () => turns.take('tenant', handlers));
    expect([started, turns.waiting]).toEqual([5, 2]);
    turns.end(first);
    for (const turn of later.slice(0, 4)) turns.end(turn);
    await vi.waitUntil(() => started === 7);
    for (const turn of later) turns.end(turn);
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  it('starts the next request of a tenant whose only queued request was rejected to make room', async () => {
    const turns = new FairTurns(2, { waiting: 3, patienceMs: 60_000 });
    const started: string[] = [];
    const refused: string[] = [];
    const take = (tenant: string, name: string) =>
      turns.take(tenant, { start: () => started.push(name), refuse: () => refused.push(name) });
    const held = ['a', 'b'].map((name) => take(name, name));
    const waiting = ['c', 'd', 'e'].map((name) => take(name, name));
    const last = take('c', 'second of c');
    expect(refused).toEqual(['c']);
    for (const turn of held) turns.end(turn);
    await vi.waitUntil(() => started.length === 4);
    for (const turn of waiting) turns.end(turn);
    await vi.waitUntil(() => started.includes('second of c'));
    turns.end(last);
    expect([turns.running, turns.waiting, refused]).toEqual([0, 0, ['c']]);
  });

  it('runs tasks when their tenant has a slot, and rejects one that does not fit, and releases slots of failed ones', async () => {
    const turns = new FairTurns(1, { waiting: 1 });
    const results: unknown[] = [];
    const ends: (() => void)[] = [];
    const run = (tenant: string, name: string) =>
      turns
        .run(
          tenant,
          () => new Promise<void>((_resolve, reject) => ends.push(() => reject(new Error(`${name} fails`)))),
          () => new Error(`${name} does not fit`),
        )
        .catch((error: Error) => results.push(error.message));
    const all = ['first', 'second', 'third'].map((name) => run('tenant', name));
    await vi.waitUntil(() => results.length === 1);
    expect(results).toEqual(['second does not fit']);
    ends[0]?.();
    await vi.waitUntil(() => ends.length === 2);
    ends[1]?.();
    await Promise.all(all);
    expect(results).toEqual(['second does not fit', 'first fails', 'third fails']);
    expect(turns.running).toBe(0);
  });
});
