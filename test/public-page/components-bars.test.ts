import { assert, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barPaths, scaleOf } from '../../src/public-page/components/bars.js';
import { day, head, today } from './components-data.js';

const DAY = 86_400;
const scale = scaleOf(head());

/** Returns the paths of a drawing by class. */
const pathsOf = (svg: string) =>
  new Map([...svg.matchAll(/<path class="([a-z]+)" d="([^"]*)"\/>/g)].map(([, name, path]) => [name, path]));

describe('the uptime bars of a monitor', () => {
  it('form one line if all days are operational', () => {
    expect(barPaths([today], scale)).toBe('<path class="ok" d="M0 17H718"/>');
  });

  it('contain at most one path per status', () => {
    const days = [
      day('2026-11-10', { operational: DAY - 600, major_outage: 600 }),
      day('2026-11-12', { operational: DAY - 600, major_outage: 300, partial_outage: 300 }),
      day('2026-11-14', { operational: DAY - 900, major_outage: 900 }),
    ];
    expect([...barPaths(days, scale).matchAll(/class="(\w+)"/g)].map(([, name]) => name).toSorted()).toEqual([
      'major',
      'ok',
      'partial',
      'rest',
    ]);
  });

  it('show an outage of forty seconds without coloring the whole day red', () => {
    const paths = pathsOf(barPaths([day('2026-11-20', { operational: DAY - 40, major_outage: 40 })], scale));
    expect(paths.get('major')).toBe('M704 34v-4h6v4z');
    expect(paths.get('rest')).toBe('M704 0h6v28h-6z');
    expect(paths.get('ok')).toBe('M0 17H702M712 17H718');
  });

  it('show half a day as half a bar', () => {
    const paths = pathsOf(
      barPaths([day('2026-11-20', { operational: DAY / 2, partial_outage: DAY / 2 })], scale),
    );
    expect(paths.get('partial')).toBe('M704 34v-17h6v17z');
  });

  it('fill the bar of a day without an operational second', () => {
    const svg = barPaths([day('2026-11-20', { major_outage: 40, partial_outage: DAY - 40 })], scale);
    expect([pathsOf(svg).get('major'), pathsOf(svg).get('partial')]).toEqual([
      'M704 34v-4h6v4z',
      'M704 30v-30h6v30z',
    ]);
    expect(svg).not.toContain('rest');
  });

  it('show today by its share of the elapsed time', () => {
    const paths = pathsOf(barPaths([day('2026-11-21', { operational: 1_800, major_outage: 1_800 })], scale));
    expect(paths.get('major')).toBe('M712 34v-17h6v17z');
  });

  it('show no green for days without data', () => {
    const days = ['2026-08-24', '2026-08-25', '2026-08-26'].map((date) => day(date, { unknown: DAY }));
    const paths = pathsOf(barPaths([...days, today], scale));
    expect(paths.get('unknown')).toBe('M0 0H22v34H0z');
    expect(paths.get('ok')).toBe('M24 17H718');
    expect(barPaths([day('2026-11-21', {})], scaleOf(head({ history_days: 1 })))).not.toContain('"ok"');
  });

  it('omit days before the first day with data', () => {
    expect(barPaths([day('2026-08-23', { major_outage: DAY })], scale)).toBe(
      '<path class="ok" d="M0 17H718"/>',
    );
  });

  it('stay within the drawing for any days', () => {
    const seconds = integer({ min: 0, max: DAY });
    assert(
      property(
        integer({ min: 1, max: 365 }),
        record({ operational: seconds, major_outage: seconds, partial_outage: seconds, unknown: seconds }),
        (history_days, one) => {
          const svg = barPaths([day('2026-11-21', one)], scaleOf(head({ history_days })));
          for (const [, x = '', y = '', height = '', width = ''] of svg.matchAll(
            /M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)v/g,
          )) {
            expect(Number(x) + Number(width)).toBeLessThanOrEqual(718.01);
            expect(Number(y) - Number(height)).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });
});
