import { describe, expect, it } from 'vitest';
import { renderIncident } from '../../src/page-documents/components/incident-page.js';
import { renderMonth } from '../../src/page-documents/components/month-page.js';
import { renderOverview } from '../../src/page-documents/components/overview-page.js';
import { viewOf } from '../../src/page-model/view.js';
import type { IncidentData } from '../../src/page-model/page-data.js';
import {
  DEFAULT_BRANDING,
  AS_OF,
  day,
  head,
  htmlOf,
  iconIn,
  incident,
  view,
  maintenance,
  monitor,
  overview,
  section,
} from './components-data.js';

const one = section('Core', [monitor('API')]);

describe('the page of an incident', () => {
  it.each([
    [{ impact: 'none' }, '#64748b'],
    [{ impact: 'critical' }, '#c8233f'],
    [{ impact: 'none', status: 'resolved' }, '#27a268'],
  ] as const)('shows %j with an icon in the color %s', (fields, color) => {
    const html = renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body;
    expect(iconIn(html)).toContain(`fill="${color}"`);
  });

  it.each([
    ['monitoring', 'Affects <bdi>API</bdi> (degraded performance)'],
    ['resolved', 'Affected <bdi>API</bdi> (major outage), <bdi>Web</bdi> (partial outage)'],
  ] as const)('shows the affected monitors of an incident that is %s as: %s', (status, text) => {
    const [api, web] = [
      { monitor_id: 'api', name: 'API' },
      { monitor_id: 'web', name: 'Web' },
    ];
    const fields = {
      status,
      affected: [
        { ...api, status: 'major_outage' as const },
        { ...web, status: 'partial_outage' as const },
      ],
      affected_now: [{ ...api, status: 'degraded_performance' as const }],
    };
    const html = renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body;
    expect(html).toContain(`<p class="affected">${text}</p>`);
    expect(htmlOf(overview([one], { incidents: [incident('Slow', fields)] }))).toContain(text);
  });

  it.each([
    [{ impact: 'critical' }, 'Investigating</span> <span>Critical impact</span>'],
    [{ impact: 'critical', status: 'resolved' }, 'Resolved</span> <span>Critical impact</span>'],
    [{ impact: 'none' }, 'Investigating</span> <span>2\u00a0h'],
    [{ impact: 'none', status: 'resolved' }, 'Resolved</span> <span>2\u00a0h'],
  ] as const)('shows the impact and status of %j', (fields, text) => {
    const html = renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body;
    const facts = /<p class="facts"><span class="status">.*?<\/svg><\/span>(.*?)<\/p>/s.exec(html)?.[1];
    expect(facts?.slice(0, text.length)).toBe(text);
  });

  it('colors the dots of updates by the impact, and green if they resolve it', () => {
    const updates = incident('Slow').updates.flatMap((update) => [
      { ...update, status: 'resolved' as const },
      { ...update, status: 'identified' as const },
    ]);
    const fields = { impact: 'major' as const, status: 'resolved' as const, updates };
    const html = renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body;
    const classes = [...html.matchAll(/<li id="update-[^"]*" class="(\w+)"/g)].map(([, name]) => name);
    expect(classes).toEqual(['ok', 'partial']);
  });

  it('names each status of affected monitors once, worst first', () => {
    const affected = [
      { monitor_id: 'login', name: 'Login', status: 'degraded_performance' as const },
      { monitor_id: 'api', name: 'API', status: 'major_outage' as const },
      { monitor_id: 'web', name: 'Web', status: 'major_outage' as const },
    ];
    const fields = { status: 'resolved' as const, affected };
    const html = renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body;
    expect(html).toContain(
      'Affected <bdi>API</bdi>, <bdi>Web</bdi> (major outage), <bdi>Login</bdi> (degraded performance)</p>',
    );
  });

  it('shows no monitors while an open incident affects none', () => {
    const affected = [{ monitor_id: 'x', name: 'API', status: 'major_outage' as const }];
    const html = renderIncident({ page: head(), incident: incident('Slow', { affected }) }, view).body;
    expect(html).not.toContain('class="affected"');
  });

  it('shows all updates and the postmortem with lower heading levels', () => {
    const html = renderIncident(
      { page: head(), incident: incident('Slow', { postmortem: '# Cause\n\nA cable.' }) },
      view,
    ).body;
    expect(html).toContain('<h2 id="postmortem">Postmortem</h2>');
    expect(html).toContain('<h3>Cause</h3>');
    expect(html).toContain('id="update-018cc251-f400-7000-8000-00000000000d"');
  });
});

describe('the list of past incidents', () => {
  const past = (title: string, started: string, resolved: string, fields: Partial<IncidentData> = {}) =>
    incident(title, {
      status: 'resolved',
      started_at: new Date(`${started}Z`),
      resolved_at: new Date(`${resolved}Z`),
      ...fields,
    });
  const updates = (number: number) =>
    Array.from({ length: number }, (_, index) => ({
      id: `number-${index}`,
      status: 'monitoring' as const,
      body: `Text **${index}**`,
      affected: null,
      posted_at: new Date('2026-11-18T12:00:00.000Z'),
      created_at: AS_OF,
      updated_at: AS_OF,
    }));

  /** Returns days, titles and lines of the list in order. */
  const linesOf = (html: string) =>
    [...html.matchAll(/<h3>([^<]*)<\/h3>|<h4><a[^>]*><bdi>(.*?)<\/bdi>|<p class="calm">(.*?)<\/p>/g)].map(
      ([, date, title, line]) => (date ?? title ?? line ?? '').replaceAll('\u2009', ' '),
    );

  it('groups incidents by the day on which they started, and joins consecutive days without any', () => {
    const recent = {
      incidents: [
        past('Late', '2026-11-18T22:00', '2026-11-18T22:10'),
        past('Early', '2026-11-18T02:00', '2026-11-18T03:00'),
        past('Long', '2026-10-30T10:00', '2026-11-09T10:00'),
      ],
      maintenances: [
        maintenance('Move', {
          status: 'completed',
          starts_at: new Date('2026-11-19T10:00:00.000Z'),
          ended_at: new Date('2026-11-19T11:00:00.000Z'),
        }),
      ],
    };
    expect(linesOf(htmlOf(overview([one], { recent })))).toEqual([
      '20 – 21 November: no incidents reported',
      '19 November',
      'Move',
      '18 November',
      'Late',
      'Early',
      '10 – 17 November: no incidents reported',
      '30 October',
      'Long',
    ]);
  });

  it('omits the days of open incidents, because these are not without incidents', () => {
    const recent = {
      incidents: [past('Late', '2026-11-16T22:00', '2026-11-16T22:10')],
      maintenances: [],
    };
    const open = [incident('Open', { started_at: new Date('2026-11-19T23:00:00.000Z') })];
    expect(linesOf(htmlOf(overview([one], { recent, incidents: open }))).slice(0, 3)).toEqual([
      '17 – 18 November: no incidents reported',
      '16 November',
      'Late',
    ]);
  });

  it("uses the days of the page's time zone", () => {
    const page = head({ branding: { ...DEFAULT_BRANDING, time_zone: 'America/New_York' } });
    const recent = { incidents: [past('Late', '2026-11-19T04:59', '2026-11-19T05:30')], maintenances: [] };
    const html = renderOverview(overview([one], { page, recent }), viewOf(view.links, page)).body;
    expect(linesOf(html).slice(0, 4)).toEqual([
      'Days in Eastern Time',
      '20 – 21 November: no incidents reported',
      '18 November',
      'Late',
    ]);
    expect(html).toContain('>31\u00a0min</span>');
    expect(html).toContain('>18 Nov, 23:59 – 19 Nov, 00:30 EST<'.replaceAll(/(?<! –) (?!–)/g, '\u00a0'));
  });

  it('names the same days as the table of days, in one time zone', () => {
    const page = head({ branding: { ...DEFAULT_BRANDING, time_zone: 'Australia/Sydney' } });
    const broken = {
      ...monitor('Broken'),
      days: [day('2026-11-18', { operational: 80_000, major_outage: 6_400 })],
    };
    const recent = { incidents: [past('Late', '2026-11-18T22:00', '2026-11-18T23:46')], maintenances: [] };
    const data = overview([section('All', [broken])], { page, recent });
    const html = renderOverview(data, viewOf(view.links, page)).body.replaceAll('\u00a0', ' ');
    expect(linesOf(html)).toContain('19 November');
    expect(html).toContain('<th scope="row">18 Nov, 11:00 – 19 Nov, 11:00 AEDT</th>');
    expect(html).toContain('>19 Nov, 09:00–10:46 AEDT<');
    expect(html).toContain(' data-zone="Australia/Sydney"');
    expect(html).not.toContain('18 Nov 2026');
    expect(html).toContain('{content:"Today (UTC)"');
  });

  it.each([
    ['2026-11-18T22:00:00.000Z', 'Australia/Sydney', '19 Nov 2026'],
    ['2026-11-18T02:00:00.000Z', 'America/New_York', '17 Nov 2026'],
    ['2026-11-18T02:00:00.000Z', 'UTC', '18 Nov 2026'],
    ['2026-11-01T02:00:00.000Z', 'UTC', '18 Nov 2026'],
  ])('names the first day of a monitor of %s in the time zone %s', (created, time_zone, first) => {
    const page = head({ branding: { ...DEFAULT_BRANDING, time_zone } });
    const days = [day('2026-11-18', { operational: 86_400 })];
    const added = { ...monitor('New'), uptime: null, created_at: new Date(created), days };
    const html = renderOverview(overview([section('All', [added])], { page }), viewOf(view.links, page)).body;
    expect(html).toContain(`Monitored since ${first}`);
  });

  /** Returns the shown updates of an incident and of a maintenance window, and whether they link to more. */
  const shownIn = (html: string) => [
    [...html.matchAll(/Text <strong>(\d)/g)].map(([, text]) => text).join(''),
    html.split('>All updates</a>').length - 1,
  ];

  it.each([
    [1, '00', 0, '00', 0],
    [3, '00', 2, '012012', 0],
    [4, '00', 2, '012012', 2],
  ])(
    'shows of %i updates the newest one on the overview, and three on the page of the month',
    (number, ...shown) => {
      const times = ['2026-11-18T11:00', '2026-11-18T12:00'] as const;
      const incidents = [past('Late', ...times, { updates: updates(number) })];
      const maintenances = [maintenance('Move', { status: 'completed', updates: updates(number) })];
      const month = { page: head(), month: '2026-11', previous: null, next: null, incidents, maintenances };
      expect([
        ...shownIn(htmlOf(overview([one], { recent: { incidents, maintenances } }))),
        ...shownIn(renderMonth(month, view).body),
      ]).toEqual(shown);
    },
  );
});

describe('a time', () => {
  it('contains the distance from now if it is less than 48 hours', () => {
    const [update] = incident('Slow').updates;
    if (!update) throw new Error('an incident has updates');
    const posted = (hours: number) => ({
      ...update,
      posted_at: new Date(AS_OF.getTime() - hours * 3_600_000),
    });
    const data = { page: head(), incident: incident('Slow', { updates: [posted(2), posted(48)] }) };
    const html = renderIncident(data, view).body;
    const times = [...html.matchAll(/<span class="when">(.*?)<\/span>/g)].map(([, text = '']) =>
      text.replaceAll(/<.*?>/g, ''),
    );
    expect(times).toEqual(['2 hours ago · 21 Nov, 10:34 UTC', '19 Nov, 12:34 UTC']);
  });

  it('contains the duration of an open incident, or the distance to the start of a maintenance window', () => {
    const html = htmlOf(
      overview([one], { incidents: [incident('Slow')], maintenances: [maintenance('Move')] }),
    ).replaceAll('\u00a0', ' ');
    expect(html).toMatch(/<span>2 h 34 min<\/span> <time [^>]*>Since 21 Nov, 10:00 UTC<\/time>/);
    expect(html).toMatch(
      /data-relative="true">in 21 hours<\/time> <span>2 h<\/span> <time [^>]*>22 Nov, 10:00–12:00 UTC</,
    );
  });
});
