import { expect, it } from 'vitest';
import type { DayIncidentData } from '../../src/page-model/page-data.js';
import { isQuick } from '../../src/page-documents/rendering/render-cost.js';
import { AS_OF, head, monitor, overview } from './components-data.js';

const DAY_MS = 86_400_000;

/** Incidents of a monitor that started before the page was created and lasted the given number of days. */
const incidents = (count: number, days: number): DayIncidentData[] =>
  Array.from({ length: count }, () => ({
    id: '018cc251-f400-7000-8000-00000000000c',
    title: 'Errors',
    monitor_id: '018cc251-f400-7000-8000-00000000000b',
    started_at: new Date(AS_OF.getTime() - 80 * DAY_MS),
    ended_at: new Date(AS_OF.getTime() - (80 - days) * DAY_MS),
  }));

const one = { ...monitor('One'), days: '' };

// Passing a document to a thread takes longer than a short rendering.
it.each([
  ['a monitor with 100 short incidents', 100, 0.1, true],
  ['a monitor with 100 incidents of a month', 100, 30, false],
  ['a monitor with 2,000 short incidents', 2_000, 0.1, false],
])('isQuick estimates whether a page renders quickly: %s', (_, count, days, quick) => {
  const day_incidents = incidents(count, days);
  expect(isQuick({ kind: 'monitor', data: { page: head(), monitor: one, day_incidents } })).toBe(quick);
  const page = overview([], { day_incidents });
  expect(isQuick({ kind: 'overview', data: { ...page, sections: [] } })).toBe(quick);
});
