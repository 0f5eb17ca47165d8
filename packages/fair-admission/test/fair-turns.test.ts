import { expect, it, vi } from 'vitest';
import { FairTurns } from '../src/index.js';

it('a turn that is given back twice takes nothing from later requests of its tenant: all that wait are started', async () => {
  const turns = new FairTurns(5);
  let started = 0;
  const handlers = { start: () => (started += 1), refuse: () => undefined };
  // As an import does: it gives its turn back when its file is read, and its response ends later.
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

it('a tenant whose only waiting turn makes room for its next one still gets its turn', async () => {
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
