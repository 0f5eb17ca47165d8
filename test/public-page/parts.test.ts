import { describe, expect, it } from 'vitest';
import {
  FIXED_PARTS,
  hasWords,
  isGuessable,
  isHtml,
  type Part,
  partAt,
  pathOf,
  routeOf,
} from '../../src/page-model/parts.js';

const ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const MONTH = new Date().toISOString().slice(0, 7);

/** An example of each kind, so that a new kind cannot be forgotten. */
const EXAMPLES: { [Kind in Part['kind']]: Extract<Part, { kind: Kind }> } = {
  overview: { kind: 'overview' },
  monitor: { kind: 'monitor', id: ID },
  history: { kind: 'history', month: MONTH },
  incident: { kind: 'incident', id: ID },
  maintenance: { kind: 'maintenance', id: ID },
  subscribe: { kind: 'subscribe' },
  feed: { kind: 'feed', format: 'atom' },
  calendar: { kind: 'calendar' },
  api: { kind: 'api', document: 'incidents/unresolved' },
  badge: { kind: 'badge', format: 'json' },
  'og-image': { kind: 'og-image' },
  embed: { kind: 'embed' },
  banner: { kind: 'banner' },
  image: { kind: 'image', name: 'logo-dark', hash: '0123456789abcdef', extension: 'png' },
};

const all: Part[] = [...Object.values(EXAMPLES), ...FIXED_PARTS];

describe('the table of parts', () => {
  it.each(all)('finds each part at its own path: $kind', (part) => {
    const [path = ''] = pathOf(part).split('?', 1);
    expect(partAt(path)).toEqual(part);
    for (const other of [`${path}/`, `${path}x`, `x${path}`, `/${path}`, path.toUpperCase()].filter(
      (one) => one !== path,
    ))
      expect([other, partAt(other)]).toEqual([other, undefined]);
  });

  it('finds no part for values that its fields do not have', () => {
    for (const path of [
      '/feed.svg',
      '/badge.rss',
      '/api/v2/x.json',
      '/monitors/x',
      `/monitors/${ID}/x`,
      '/logo-x.png',
    ])
      expect([path, partAt(path)]).toEqual([path, undefined]);
    for (const month of ['1999-01', '', 'x', null, [MONTH, MONTH]])
      expect(partAt('/history', month)).toBeUndefined();
  });

  it('shows for which parts visitors can guess paths, choose a language, or see a document', () => {
    const kindsOf = (is: (part: Part) => boolean) =>
      Object.values(EXAMPLES)
        .filter(is)
        .map(({ kind }) => kind);
    expect(kindsOf(isGuessable)).toEqual(['monitor', 'history', 'incident', 'maintenance', 'image']);
    expect(kindsOf((part) => !hasWords(part))).toEqual(['api', 'banner', 'image']);
    expect(kindsOf(isHtml)).toEqual([
      'overview',
      'monitor',
      'history',
      'incident',
      'maintenance',
      'subscribe',
    ]);
  });

  it('keeps the routes in the log', () => {
    expect(routeOf(EXAMPLES.badge)).toBe('/status/{slug}/badge.json');
    expect(routeOf(EXAMPLES.api)).toBe('/status/{slug}/api/v2/{document}');
    expect(routeOf(EXAMPLES.history)).toBe('/status/{slug}/history');
  });
});
