import { assert, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barPaths, scaleOf } from '../../src/page-documents/components/bars.js';
import { escapeHtml } from '../../src/page-documents/components/html.js';
import type { DayData } from '../../src/page-model/page-data.js';
import { day, head, today } from './components-data.js';

const DAY = 86_400;
const scale = scaleOf(head());

const drawn = (days: DayData[], created_at = new Date('2025-01-01'), on = scale) =>
  barPaths({ days, created_at }, on);

/** Returns the paths of a drawing by class. */
const pathsOf = (svg: string) =>
  new Map([...svg.matchAll(/<path class="([a-z]+)" d="([^"]*)"\/>/g)].map(([, name, path]) => [name, path]));

const outage = (seconds: number) =>
  drawn([day('2026-11-20', { operational: DAY - seconds, major_outage: seconds })]);

describe('the uptime bars of a monitor', () => {
  it('form one line if all days are operational', () => {
    expect(drawn([today])).toBe('<path class="ok" d="M0 12H449"/>');
  });

  it('contain at most one path per status', () => {
    const svg = drawn([
      day('2026-11-10', { operational: DAY - 600, major_outage: 600 }),
      day('2026-11-12', { operational: DAY - 600, major_outage: 300, partial_outage: 300 }),
      day('2026-11-14', { operational: DAY - 900, major_outage: 900 }),
    ]);
    expect([...svg.matchAll(/class="(\w+)"/g)].map(([, name]) => name)).toEqual(['ok', 'major', 'partial']);
  });

  it('show an outage of forty seconds as less than a quarter of a bar, on a green bar', () => {
    const paths = pathsOf(outage(40));
    expect(paths.get('major')).toBe('M440 24v-5h4v5z');
    expect(paths.get('ok')).toBe('M0 12H449');
  });

  it.each([
    [120, 8],
    [599, 8],
    [600, 12],
    [1_800, 17],
    [3_600, 24],
    [DAY / 2, 24],
  ])('show an outage of %i seconds with a height of %i', (seconds, height) => {
    expect(pathsOf(outage(seconds)).get('major')).toBe(`M440 24v-${height}h4v${height}z`);
  });

  it('show the statuses of a day above each other, worst at the bottom', () => {
    const paths = pathsOf(
      drawn([day('2026-11-20', { operational: DAY - 7_240, major_outage: 40, partial_outage: 7_200 })]),
    );
    expect([paths.get('major'), paths.get('partial')]).toEqual(['M440 24v-5h4v5z', 'M440 19v-19h4v19z']);
  });

  it('fill the bar of a day without an operational second', () => {
    const paths = pathsOf(drawn([day('2026-11-20', { major_outage: 40, partial_outage: 100 })]));
    expect([paths.get('major'), paths.get('partial')]).toEqual(['M440 24v-5h4v5z', 'M440 19v-19h4v19z']);
    expect(paths.get('ok')).toBe('M0 12H439M445 12H449');
  });

  it('show no green for days without data', () => {
    const days = ['2026-08-24', '2026-08-25', '2026-08-26'].map((date) => day(date, { unknown: DAY }));
    const paths = pathsOf(drawn([...days, today]));
    expect(paths.get('unknown')).toBe('M0 0H14v24H0z');
    expect(paths.get('ok')).toBe('M15 12H449');
    expect(drawn([day('2026-11-21', {})], undefined, scaleOf(head({ history_days: 1 })))).not.toContain(
      '"ok"',
    );
  });

  it('show the days before a monitor existed in a neutral color at full height, and ignore its missing data on its first day', () => {
    const before = ['2026-08-24', '2026-08-25'].map((date) => day(date, { unknown: DAY }));
    const first = day('2026-08-26', { operational: 7_200, unknown: DAY - 7_200 });
    const paths = pathsOf(drawn([...before, first, today], new Date('2026-08-26T22:00:00.000Z')));
    expect([...paths]).toEqual([
      ['none', 'M0 12H9'],
      ['ok', 'M10 12H449'],
    ]);
  });

  it('show data from before the monitor was created', () => {
    const svg = drawn([day('2026-08-24', { major_outage: DAY }), today], new Date('2026-11-01'));
    expect(pathsOf(svg).get('major')).toBe('M0 24v-24h4v24z');
    expect(svg).not.toContain('"none"');
  });

  it('omit days before the first day', () => {
    expect(drawn([day('2026-08-23', { major_outage: DAY })])).toBe('<path class="ok" d="M0 12H449"/>');
  });

  it('stay within the drawing for any days', () => {
    const seconds = integer({ min: 0, max: DAY });
    assert(
      property(
        integer({ min: 1, max: 365 }),
        record({ operational: seconds, major_outage: seconds, partial_outage: seconds, unknown: seconds }),
        (history_days, one) => {
          const svg = drawn([day('2026-11-21', one)], undefined, scaleOf(head({ history_days })));
          for (const [, x = '', y = '', height = '', width = ''] of svg.matchAll(
            /M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)v/g,
          )) {
            expect(Number(x) + Number(width)).toBeLessThanOrEqual(451);
            expect(Number(y) - Number(height)).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });
});

it('escapes a text as content and in a quoted attribute', () => {
  expect(escapeHtml(`<b title="a">'&'</b>`)).toBe(`&lt;b title=&quot;a&quot;&gt;'&amp;'&lt;/b&gt;`);
});
