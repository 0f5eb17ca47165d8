import { describe, expect, it } from 'vitest';
import { RenderQueue } from '../../../src/public-page/cache/render-queue.js';
import type { Part } from '../../../src/public-page/documents/parts.js';

const OVERVIEW: Part = { kind: 'overview' };
const POOL_SIZE = 10;

/** Renderings that begin when the queue starts them and end on demand. */
function useRenderings() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const render = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { begun, ends, render };
}

describe('RenderQueue', () => {
  it('immediately starts a rendering of another organization during a flood', async () => {
    const queue = new RenderQueue(POOL_SIZE);
    const { begun, ends, render } = useRenderings();
    const flood = Array.from({ length: 50 }, () => queue.run('flooded', OVERVIEW, render('flooded')));
    const other = queue.run('other', OVERVIEW, render('other'));
    await new Promise(setImmediate);
    expect(begun).toEqual(['flooded', 'other']);
    while (begun.length < 51) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    for (const end of ends.splice(0)) end();
    await Promise.all([...flood, other]);
  });

  it('alternates between organizations for parts whose paths can be guessed', async () => {
    const queue = new RenderQueue(POOL_SIZE);
    const { begun, ends, render } = useRenderings();
    const part: Part = { kind: 'history', month: '2026-11' };
    const all = ['flooded', 'flooded', 'flooded', 'other'].map((name) => queue.run(name, part, render(name)));
    while (begun.length < all.length) {
      await new Promise(setImmediate);
      for (const end of ends.splice(0)) end();
    }
    for (const end of ends.splice(0)) end();
    await Promise.all(all);
    expect(begun).toEqual(['flooded', 'other', 'flooded', 'flooded']);
  });

  it('immediately starts a guessable part of an organization that has no rendering in progress', async () => {
    const queue = new RenderQueue(POOL_SIZE);
    const { begun, ends, render } = useRenderings();
    const incident: Part = { kind: 'incident', id: 'any' };
    const all = [
      queue.run('busy', OVERVIEW, render('busy')),
      queue.run('busy', incident, render('incident of busy')),
      queue.run('other', incident, render('incident of other')),
    ];
    await new Promise(setImmediate);
    expect(begun).toEqual(['busy', 'incident of other']);
    while (begun.length < all.length) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    for (const end of ends.splice(0)) end();
    await Promise.all(all);
  });

  it('starts an overview while guessable parts of its organization wait', async () => {
    const queue = new RenderQueue(POOL_SIZE);
    const { begun, ends, render } = useRenderings();
    const part: Part = { kind: 'history', month: '2026-11' };
    const flood = Array.from({ length: 300 }, () => queue.run('one', part, render('month')));
    const refused = flood.map((run) => run.then(() => false, () => true)); // prettier-ignore
    const overview = queue.run('one', OVERVIEW, render('overview'));
    while (begun.length < 258) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    for (const end of ends.splice(0)) end();
    await overview;
    expect(begun.slice(0, 2)).toEqual(['month', 'overview']);
    expect((await Promise.all(refused)).filter(Boolean)).toHaveLength(300 - 257);
  });
});
