import { describe, expect, it } from 'vitest';
import { useSummaries } from './use-summaries.js';

const { server, tenant, monitorIn, page, summaryOf, incident } = useSummaries();

const UP = 'operational';
const SLOW = 'degraded_performance';
const PARTIAL = 'partial_outage';
const DOWN = 'major_outage';
const UNKNOWN = 'unknown';
const PLANNED = 'under_maintenance';

/** The monitors of a page, its status, and its headline. */
const RULES: [monitors: string[], status: string, headline: string, text: string][] = [
  [[UP, UP], UP, UP, 'All systems operational'],
  [[UP, PLANNED], PLANNED, PLANNED, '1 of 2 systems under maintenance'],
  [[PLANNED, PLANNED], PLANNED, PLANNED, 'All systems under maintenance'],
  [[UP, UNKNOWN], UNKNOWN, UNKNOWN, 'Some systems are not reporting (1 of 2)'],
  [[PLANNED, UNKNOWN], UNKNOWN, UNKNOWN, 'Some systems are not reporting (1 of 2)'],
  [[UNKNOWN, UNKNOWN], UNKNOWN, UNKNOWN, 'No system is reporting'],
  [[UNKNOWN, SLOW], SLOW, SLOW, 'Degraded performance of 1 of 2 systems'],
  [[SLOW, SLOW], SLOW, SLOW, 'Degraded performance of all systems'],
  [[SLOW, PARTIAL], PARTIAL, PARTIAL, 'Partial outage of 1 of 2 systems'],
  [[PARTIAL, PARTIAL], PARTIAL, PARTIAL, 'Partial outage of all systems'],
  [[PARTIAL, DOWN], DOWN, PARTIAL, 'Outage of 1 of 2 systems'],
  [[DOWN, UP, UP, UP], DOWN, PARTIAL, 'Outage of 1 of 4 systems'],
  [[DOWN, UNKNOWN], DOWN, PARTIAL, 'Outage of 1 of 2 systems'],
  [[DOWN, DOWN], DOWN, DOWN, 'Major outage of all systems'],
  [[DOWN], DOWN, DOWN, 'Major outage of all systems'],
  [[], UNKNOWN, UNKNOWN, 'No systems on this page'],
];

/** The open incidents of a page whose only monitor reports a status: impact, fields, and the headline. */
const INCIDENTS: [reported: string, incidents: object[], status: string, text: string][] = [
  [UP, [{ impact: 'none' }], UP, 'All systems operational, 1 open incident'],
  [UP, [{ impact: 'minor' }], SLOW, '1 open incident with minor impact'],
  [UP, [{ impact: 'major' }], PARTIAL, '1 open incident with major impact'],
  [UP, [{ impact: 'critical' }], PARTIAL, '1 open incident with critical impact'],
  [UP, [{ impact: 'critical', status: 'identified' }], PARTIAL, '1 open incident with critical impact'],
  [UP, [{ impact: 'critical', status: 'monitoring' }], UP, 'All systems operational, 1 open incident'],
  [UP, [{ impact: 'none' }, { impact: 'none' }], UP, 'All systems operational, 2 open incidents'],
  [UP, [{ impact: 'minor' }, { impact: 'major' }], PARTIAL, '2 open incidents with up to major impact'],
  [PARTIAL, [{ impact: 'minor' }], PARTIAL, 'Partial outage of all systems, 1 open incident'],
  [UNKNOWN, [{ impact: 'minor' }], SLOW, 'No system is reporting, 1 open incident with minor impact'],
  [DOWN, [{ impact: 'critical' }], DOWN, 'Major outage of all systems, 1 open incident'],
];

describe('the status of a page', () => {
  it.each(RULES)(
    'of monitors that are %j is %s; the headline is %s: %s',
    async (statuses, status, ...headline) => {
      const monitors: string[] = [];
      for (const one of statuses) monitors.push(await monitorIn(one));
      const summary = await summaryOf(await page({ core: monitors }));
      const numberOf = (one: string): number => statuses.filter((found) => found === one).length;
      const each = [UP, SLOW, PARTIAL, DOWN, UNKNOWN, PLANNED].map((one) => [one, numberOf(one)]);
      const counts = { total: statuses.length, ...Object.fromEntries(each) };
      expect(summary).toMatchObject({
        status,
        headline: { status: headline[0], text: headline[1] },
        counts,
        sections: [{ id: 'core', status, counts }],
      });
    },
  );

  it('is unknown without sections: nothing is said to be operational', async () => {
    expect(await summaryOf(await page({}))).toMatchObject({
      status: UNKNOWN,
      headline: { status: UNKNOWN, text: 'No systems on this page' },
      counts: { total: 0, operational: 0 },
      sections: [],
    });
  });

  it('is the worst of all sections, each of which has that of its own monitors', async () => {
    const [up, slow, down] = [await monitorIn(UP), await monitorIn(SLOW), await monitorIn(DOWN)];
    const summary = await summaryOf(await page({ web: [up], api: [up, slow], jobs: [down], none: [] }));
    expect(summary.sections.map(({ id, status, counts }) => [id, status, counts.total])).toEqual([
      ['web', UP, 1],
      ['api', SLOW, 2],
      ['jobs', DOWN, 1],
      ['none', UNKNOWN, 0],
    ]);
    expect([summary.status, summary.headline.status]).toEqual([DOWN, PARTIAL]);
  });
});

describe('the headline of a page with open incidents', () => {
  it.each(INCIDENTS)(
    'with a monitor that is %s, and %j, is %s: %s',
    async (reported, incidents, status, text) => {
      const id = await page({ core: [await monitorIn(reported)] });
      for (const fields of incidents) await incident({}, { status_page_ids: [id], ...fields });
      expect(await summaryOf(id)).toMatchObject({ status: reported, headline: { status, text } });
    },
  );

  it('follows the monitors that an incident affects, not its impact', async () => {
    const [one, other] = [await monitorIn(UP), await monitorIn(UP)];
    const id = await page({ core: [one, other] });
    await incident({ [one]: SLOW }, { impact: 'critical' });
    expect(await summaryOf(id)).toMatchObject({
      status: SLOW,
      headline: { status: SLOW, text: 'Degraded performance of 1 of 2 systems, 1 open incident' },
    });
  });

  it('counts the impact of an incident that affects only monitors of other pages', async () => {
    const [own] = [await monitorIn(UP)];
    const [foreign = ''] = await server.monitors(tenant, 1);
    const id = await page({ core: [own] });
    await incident({ [foreign]: PARTIAL }, { status_page_ids: [id] });
    const summary = await summaryOf(id);
    expect(summary.headline).toEqual({ status: PARTIAL, text: '1 open incident with major impact' });
    expect(summary.incidents.map(({ monitors }) => monitors)).toEqual([[]]);
  });
});
