import { describe, expect, it } from 'vitest';
import { useSummaries } from './use-summaries.js';

const { server, tenant, monitor, monitorIn, page, summaryOf, incident } = useSummaries();

const UP = 'operational';
const SLOW = 'degraded_performance';
const PARTIAL = 'partial_outage';
const DOWN = 'major_outage';
const UNKNOWN = 'unknown';
const PLANNED = 'under_maintenance';

/** Monitor statuses of a page, its status and its headline. */
const RULES: [monitors: string[], status: string, headline: string, text: string][] = [
  [[UP, UP], UP, UP, 'All systems operational'],
  [[UP, PLANNED], PLANNED, PLANNED, 'Maintenance in progress'],
  [[PLANNED, PLANNED], PLANNED, PLANNED, 'Maintenance in progress'],
  [[UP, UNKNOWN], UNKNOWN, UNKNOWN, 'Some systems are not reporting'],
  [[PLANNED, UNKNOWN], UNKNOWN, UNKNOWN, 'Some systems are not reporting'],
  [[UNKNOWN, UNKNOWN], UNKNOWN, UNKNOWN, 'No system is reporting'],
  [[UNKNOWN, SLOW], SLOW, SLOW, 'Some systems are degraded'],
  [[SLOW, SLOW], SLOW, SLOW, 'All systems are degraded'],
  [[SLOW, PARTIAL], PARTIAL, PARTIAL, 'Partial outage'],
  [[PARTIAL, PARTIAL], PARTIAL, PARTIAL, 'Partial outage'],
  [[PARTIAL, DOWN], DOWN, PARTIAL, 'Partial outage'],
  [[DOWN, UP, UP, UP], DOWN, PARTIAL, 'Partial outage'],
  [[DOWN, UNKNOWN], DOWN, PARTIAL, 'Partial outage'],
  [[DOWN, DOWN], DOWN, DOWN, 'Major outage'],
  [[DOWN], DOWN, DOWN, 'Major outage'],
  [[], UNKNOWN, UNKNOWN, 'No systems on this page'],
];

/** Open incidents of a page whose only monitor reports a status: impact, fields and headline. */
const INCIDENTS: [reported: string, incidents: object[], status: string, text: string][] = [
  [UP, [{ impact: 'none' }], UP, '1 open incident'],
  [UP, [{ impact: 'minor' }], SLOW, '1 open incident'],
  [UP, [{ impact: 'major' }], PARTIAL, '1 open incident'],
  [UP, [{ impact: 'critical' }], PARTIAL, '1 open incident'],
  [UP, [{ impact: 'critical', status: 'identified' }], PARTIAL, '1 open incident'],
  [UP, [{ impact: 'critical', status: 'monitoring' }], UP, '1 open incident'],
  [UP, [{ impact: 'none' }, { impact: 'none' }], UP, '2 open incidents'],
  [UP, [{ impact: 'minor' }, { impact: 'major' }], PARTIAL, '2 open incidents'],
  [PLANNED, [{ impact: 'none' }], PLANNED, 'Maintenance in progress'],
  [PARTIAL, [{ impact: 'minor' }], PARTIAL, 'Partial outage'],
  [UNKNOWN, [{ impact: 'none' }], UNKNOWN, 'No system is reporting'],
  [UNKNOWN, [{ impact: 'minor' }], SLOW, '1 open incident'],
  [DOWN, [{ impact: 'critical' }], DOWN, 'Major outage'],
];

describe('GET /v1/status-pages/{id}/summary', () => {
  it('summarizes new monitors without stale_after_seconds as operational', async () => {
    const ids = [await monitor(), await monitor()];
    expect(await summaryOf(await page({ core: ids }))).toMatchObject({
      status: 'operational',
      headline: { status: 'operational', text: 'All systems operational' },
      counts: { total: 2, operational: 2 },
    });
  });

  it.each(RULES)('summarizes %j as %s with headline %s: %s', async (statuses, status, ...headline) => {
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
  });

  it('returns unknown without sections', async () => {
    expect(await summaryOf(await page({}))).toMatchObject({
      status: UNKNOWN,
      headline: { status: UNKNOWN, text: 'No systems on this page' },
      counts: { total: 0, operational: 0 },
      sections: [],
    });
  });

  it('returns the worst status of all sections, computed from their monitors', async () => {
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

describe('GET /v1/status-pages/{id}/summary with open incidents', () => {
  it.each(INCIDENTS)(
    'summarizes a monitor that is %s with incidents %j as %s: %s',
    async (reported, incidents, status, text) => {
      const id = await page({ core: [await monitorIn(reported)] });
      for (const fields of incidents) await incident({}, { status_page_ids: [id], ...fields });
      expect(await summaryOf(id)).toMatchObject({ status: reported, headline: { status, text } });
    },
  );

  it.each([
    [{ impact: 'none' }, UNKNOWN, '1 open incident'],
    [{ impact: 'major' }, PARTIAL, '1 open incident'],
  ])('summarizes a page without monitors with the incident %j as %s: %s', async (fields, status, text) => {
    const id = await page({});
    await incident({}, { status_page_ids: [id], ...fields });
    expect(await summaryOf(id)).toMatchObject({ status: UNKNOWN, headline: { status, text } });
  });

  it('derives the headline from the affected monitors, not from the impact', async () => {
    const [one, other] = [await monitorIn(UP), await monitorIn(UP)];
    const id = await page({ core: [one, other] });
    await incident({ [one]: SLOW }, { impact: 'critical' });
    expect(await summaryOf(id)).toMatchObject({
      status: SLOW,
      headline: { status: SLOW, text: 'Some systems are degraded' },
    });
  });

  it('includes the impact of incidents that affect only monitors of other pages', async () => {
    const [own] = [await monitorIn(UP)];
    const [foreign = ''] = await server.monitors(tenant, 1);
    const id = await page({ core: [own] });
    await incident({ [foreign]: PARTIAL }, { status_page_ids: [id] });
    const summary = await summaryOf(id);
    expect(summary.headline).toEqual({ status: PARTIAL, text: '1 open incident' });
    expect(summary.incidents.map(({ monitors }) => monitors)).toEqual([[]]);
  });
});
