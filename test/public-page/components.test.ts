import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderNotFound } from '../../src/page-documents/components/message-page.js';
import { renderMonitor } from '../../src/page-documents/components/monitor-page.js';
import { renderMonth } from '../../src/page-documents/components/month-page.js';
import { renderOverview } from '../../src/page-documents/components/overview-page.js';
import type { MonitorData, PageHead } from '../../src/page-model/page-data.js';
import {
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
  today,
} from './components-data.js';

const DAY = 86_400;
const one = section('Core', [monitor('API')]);

/** Returns the sign of the headline. */
const signIn = (html: string) => /<div class="headline"><span class="(.*?)">/.exec(html)?.[1];

describe('the overview', () => {
  it('starts with the headline as its only first-level heading and skips no heading level', () => {
    const html = htmlOf(
      overview([one], {
        incidents: [incident('Slow')],
        maintenances: [maintenance('Move')],
        recent: { incidents: [incident('Past', { status: 'resolved' })], maintenances: [] },
      }),
    );
    expect([...html.matchAll(/<h(\d)/g)].map(([, level]) => level).join('')).toBe('123422323452');
    expect(html).toContain('<h1>1 open incident</h1>');
  });

  it.each([
    ['an operational monitor', [one]],
    ['no monitor', []],
  ])('shows a neutral sign for %s with an open incident without impact', (_, sections) => {
    const incidents = [incident('Email is slow', { impact: 'none' })];
    const html = htmlOf(overview(sections, { incidents }));
    expect(signIn(html)).toBe('neutral');
    expect(iconIn(html)).toContain('fill="#64748b"');
    expect(html).toContain('<h1>1 open incident</h1>');
    expect(html).toMatch(
      /<article class="card neutral">.*?#i-neutral"\/><\/svg><\/span>Investigating<\/span>/s,
    );
    expect(html.match(/>Investigating<\/span>/g)).toHaveLength(1);
    expect(html).not.toContain('No impact');
  });

  it.each([
    ['operational', 'ok'],
    ['partial_outage', 'partial'],
    ['under_maintenance', 'maintenance'],
    ['unknown', 'unknown'],
  ] as const)('shows the sign of the status %s without an open incident', (status, sign) => {
    expect(signIn(htmlOf(overview([section('Core', [monitor('API', { status })])])))).toBe(sign);
  });

  it('keeps the sign of a problem while an incident is open', () => {
    const bad = section('Core', [monitor('API', { status: 'partial_outage' })]);
    expect(signIn(htmlOf(overview([bad], { incidents: [incident('Slow', { impact: 'none' })] })))).toBe(
      'partial',
    );
  });

  it('contains each sign with a different shape and mark', () => {
    const symbols = [...htmlOf(overview([one])).matchAll(/<symbol id="(.*?)".*?<\/symbol>/g)];
    const drawings = symbols.map(([symbol, id = '']) => symbol.replace(id, ''));
    expect(symbols.map(([, id]) => id)).toContain('i-neutral');
    expect(new Set(drawings).size).toBe(symbols.length);
  });

  it.each([
    [{}, 'No incidents or maintenance in the last 14 days.'],
    [{ incidents: [incident('Slow')] }, 'No other incidents or maintenance in the last 14 days.'],
    [{ maintenances: [maintenance('Move')] }, 'No other incidents or maintenance in the last 14 days.'],
  ])('describes the last 14 days with %j as: %s', (fields, text) => {
    expect(htmlOf(overview([one], fields))).toContain(`<p>${text}</p>`);
  });

  it('shows the time of the last update with a link to reload', () => {
    const html = htmlOf(overview([one]));
    expect(html).toContain(
      '<time datetime="2026-11-21T12:34:56.000Z" data-local="true" data-text="Last updated {time}">Last updated 21 Nov, 12:34 UTC</time>',
    );
    expect(html).toContain('<a href="/status/acme">Reload</a>');
  });

  it('opens sections with problems, and other sections only on small pages', () => {
    const names = Array.from({ length: 40 }, (_, index) => monitor(`m${index}`));
    const bad = section('Bad', [monitor('x', { status: 'major_outage' }), monitor('y')], 'major_outage');
    const html = htmlOf(overview([section('Good', names), bad]));
    expect(html.match(/<details class="section"( open)?>/g)).toEqual([
      '<details class="section">',
      '<details class="section" open>',
    ]);
    expect(html).toContain('1 of 2 not operational');
    expect(htmlOf(overview([one]))).toContain('<details class="section" open>');
  });

  it('describes the bars in a sentence', () => {
    const days = [day('2026-11-02', { operational: DAY - 60, major_outage: 60 }), today];
    expect(htmlOf(overview([section('Core', [monitor('API', { days, uptime: 99.99 })])]))).toContain(
      'role="img" aria-label="Last 90 days: 99.99% uptime, problems on 1 day"',
    );
  });

  it('links days with problems to the incidents that overlap them', () => {
    const api = monitor('API', {
      days: [
        day('2026-11-02', { operational: DAY - 1_140, major_outage: 1_140 }),
        day('2026-11-03', { operational: DAY - 60, degraded_performance: 60 }),
        today,
      ],
    });
    const html = htmlOf(
      overview([section('Core', [api])], {
        day_incidents: [
          {
            id: 'incident-1',
            title: 'Outage',
            monitor_id: api.monitor_id,
            started_at: new Date('2026-11-02T10:00:00.000Z'),
            ended_at: new Date('2026-11-03T00:00:00.000Z'),
          },
        ],
      }),
    );
    const [newer, older] = [...html.matchAll(/<tr data-day="[\d-]+"><th scope="row">(.*?)<\/tr>/g)].map(
      ([, row]) => row,
    );
    expect(newer).toBe('3 Nov 2026</th><td>Degraded performance 1 min</td>');
    expect(older).toBe(
      '2 Nov 2026</th><td>Major outage 19 min · <a href="/status/acme/incidents/incident-1"><bdi>Outage</bdi></a></td>',
    );
  });

  it('shows 100% only for full uptime', () => {
    const uptimes = [100, 99.99, 90, 0].map((uptime) => monitor('API', { uptime }));
    const html = htmlOf(overview([section('Core', uptimes)]));
    expect([...html.matchAll(/<span class="percent">(.*?)<\/span>/g)].map(([, text]) => text)).toEqual([
      '100%',
      '99.99%',
      '90.00%',
      '0.00%',
    ]);
  });

  /** Returns the percentage of a monitor, the date on the axis, the words for its days, and the label of its bars. */
  function uptimeIn(fields: Partial<MonitorData>, page: Partial<PageHead> = {}): string[] {
    const html = htmlOf(overview([section('Core', [monitor('API', fields)])], { page: head(page) }));
    const words = [
      /class="percent">(?:<summary>)?(.*?) ?</,
      /class="axis"><span>(.*?)</,
      /<summary>[^<]*<span class="unseen">([^<]+)</,
      /aria-label="(Last.*?)"/,
    ];
    return words.map((found) => found.exec(html)?.[1] ?? '');
  }

  const yesterday = day('2026-11-20', { operational: 3_600, unknown: DAY - 3_600 });
  const empty = day('2026-11-19', { unknown: DAY });

  it('shows the first observed day until a whole day was observed', () => {
    const days = [empty, yesterday, today];
    const since = 'Monitored since 20 Nov 2026';
    const label = 'Last 90 days: monitored since 20 Nov 2026, no problems';
    const counts = 'Days without data';
    expect(uptimeIn({ days, observed_seconds: DAY - 1 })).toEqual(['', since, counts, label]);
    expect(uptimeIn({ days, observed_seconds: DAY })).toEqual([
      '100%',
      '',
      counts,
      'Last 90 days: 100% uptime, no problems',
    ]);
  });

  it('shows no percentage of the first minutes of an incident', () => {
    const days = [day('2026-11-21', { operational: 1, major_outage: 5, unknown: 45_290 })];
    expect(uptimeIn({ days, uptime: 16.66, observed_seconds: 6, status: 'major_outage' })).toEqual([
      '',
      'Monitored since 21 Nov 2026',
      'Problems on 1 day',
      'Last 90 days: monitored since 21 Nov 2026, problems on 1 day',
    ]);
  });

  it('shows a monitor that was created in this second as monitored since today', () => {
    const fields = {
      days: [empty, day('2026-11-21', { unknown: 45_296 })],
      uptime: null,
      observed_seconds: 0,
    };
    for (const status of ['operational', 'under_maintenance'] as const)
      expect(uptimeIn({ ...fields, status })).toEqual([
        '',
        'Monitored since 21 Nov 2026',
        'Days without data',
        'Last 90 days: monitored since 21 Nov 2026, no problems',
      ]);
    expect(uptimeIn({ ...fields, status: 'unknown' })).toEqual([
      '',
      '',
      'Days without data',
      'Last 90 days: no data',
    ]);
  });

  it('shows a monitor that has only been under maintenance as monitored since its first day', () => {
    const first = day('2026-11-20', { under_maintenance: 3_600, unknown: DAY - 3_600 });
    const days = [empty, first, day('2026-11-21', { under_maintenance: 45_296 })];
    const fields = { days, uptime: null, observed_seconds: 0, status: 'under_maintenance' } as const;
    expect(uptimeIn(fields)).toEqual([
      '',
      'Monitored since 20 Nov 2026',
      'Maintenance on 2 days',
      'Last 90 days: monitored since 20 Nov 2026, no problems, maintenance on 2 days',
    ]);
  });

  it('shows the percentage of today if the history is one day that was observed from midnight on', () => {
    const observed = { days: [today], observed_seconds: today.operational };
    expect(uptimeIn(observed, { history_days: 1 })).toEqual([
      '100%',
      '',
      '',
      'Last 1 day: 100% uptime, no problems',
    ]);
    const late = day('2026-11-21', { operational: 45_295, unknown: 1 });
    expect(uptimeIn({ days: [late], observed_seconds: 45_295 }, { history_days: 1 })[1]).toBe(
      'Monitored since 21 Nov 2026',
    );
  });

  it('omits bars and links to monitors and months if history is disabled', () => {
    const html = htmlOf(overview([one], { page: head({ show_history: false }) }));
    expect(html).not.toMatch(/class="bars"|\/monitors\/|\/history|uptime/);
    expect(html).toContain('<bdi>API</bdi>');
  });

  it('links to feeds and the calendar only if they are enabled', () => {
    const on = htmlOf(overview([one]));
    expect(on.match(/<link rel="alternate" type=/g)).toHaveLength(3);
    expect(on).toContain('href="/status/acme/maintenance.ics"');
    expect(htmlOf(overview([one], { page: head({ rss_enabled: false }) }))).not.toMatch(
      /feed\.|maintenance\.ics|alternate" type/,
    );
  });

  it('shows the credit only if it is enabled', () => {
    expect(htmlOf(overview([one]))).toContain('Powered by');
    expect(htmlOf(overview([one], { page: head({ show_powered_by: false }) }))).not.toContain('Powered by');
  });

  it('contains its absolute URL for other sites unless the page is private', () => {
    const html = htmlOf(overview([one]));
    expect(html).toContain('<link rel="canonical" href="https://status.example.com/status/acme"/>');
    expect(html).toContain('<meta property="og:title" content="All systems operational · Acme"/>');
    const hidden = htmlOf(overview([one], { page: head({ is_public: false }) }));
    expect(hidden).toContain('<meta name="robots" content="noindex"/>');
    expect(hidden).not.toMatch(/canonical|og:/);
  });

  it('escapes user texts in text and attributes', () => {
    const evil = '"><script>alert(1)</script>';
    const html = htmlOf(
      overview([section(evil, [monitor(evil)])], {
        page: head({ name: evil, description: evil }),
        incidents: [
          incident(evil, { affected_now: [{ monitor_id: 'x', name: evil, status: 'major_outage' }] }),
        ],
        maintenances: [maintenance(evil, { body: evil })],
      }),
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('content=""><');
  });

  it('shows the latest updates of a maintenance window, and a link to the others', () => {
    const updates = Array.from({ length: 7 }, (_, index) => ({
      id: `number-${index}`,
      body: `**Update ${index}**`,
      posted_at: AS_OF,
      created_at: AS_OF,
      updated_at: AS_OF,
    }));
    const html = htmlOf(overview([one], { maintenances: [maintenance('Move', { updates })] }));
    expect([...html.matchAll(/<strong>Update (\d)<\/strong>/g)].map(([, number]) => number).join('')).toBe(
      '01234',
    );
    expect(html).toContain('<li id="update-number-0">');
    expect(html).toContain('>All 7 updates</a>');
    expect(htmlOf(overview([one], { maintenances: [maintenance('Move')] }))).not.toContain('class="updates"');
  });

  it('shows the worst incident first', () => {
    const html = htmlOf(
      overview([one], {
        incidents: [incident('Small', { impact: 'minor' }), incident('Big', { impact: 'critical' })],
      }),
    );
    expect(html.indexOf('Big')).toBeLessThan(html.indexOf('Small'));
  });

  it('allows only its own stylesheet by hash', () => {
    const { body, csp } = renderOverview(overview([one]), view);
    const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
    expect(styles).toContain('--accent:#2563eb');
    expect(csp).toContain(`'sha256-${createHash('sha256').update(styles).digest('base64')}'`);
    expect(body).not.toMatch(/ style=|javascript:| on[a-z]+=/);
  });
});

describe('the page of a monitor', () => {
  it('shows the uptime of the last days, or since when the monitor is observed', () => {
    const textOf = (observed_seconds: number) => {
      const shown = { page: head(), monitor: monitor('API', { observed_seconds }), day_incidents: [] };
      return /<p class="facts">.*?<\/span> <span>(.*?)<\/span><\/p>/.exec(
        renderMonitor(shown, view).body,
      )?.[1];
    };
    expect(textOf(DAY)).toBe('100% uptime in the last 90 days');
    expect(textOf(3_600)).toBe('Monitored since 21 Nov 2026');
  });

  it('lists each day with problems, and consecutive days without data in one row', () => {
    const days = [
      ...['2026-08-25', '2026-08-26', '2026-08-27'].map((date) => day(date, { unknown: DAY })),
      ...Array.from({ length: 40 }, (_, index) =>
        day(new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10), {
          operational: DAY - 60,
          partial_outage: 60,
        }),
      ),
      today,
    ];
    const html = renderMonitor(
      { page: head(), monitor: monitor('API', { days }), day_incidents: [] },
      view,
    ).body;
    expect(html.match(/<tr data-day/g)).toHaveLength(41);
    expect(html).toContain('25\u2009–\u200927 Aug 2026</th><td>No data all day');
    expect(html).toContain('Partial outage</span></span></th><td>40 min');
    expect(html).toContain('No data</span></span></th><td>3 d');
  });
});

/** Returns the dates of days from the first day of the bars until before another day. */
function datesUntil(end: string): string[] {
  const first = Date.UTC(2026, 7, 24);
  const count = (Date.parse(end) - first) / (DAY * 1_000);
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY * 1_000).toISOString().slice(0, 10),
  );
}

describe('the days of a new monitor', () => {
  const empty = datesUntil('2026-11-18').map((date) => day(date, { unknown: DAY }));
  const created = day('2026-11-18', { operational: 7_200, unknown: DAY - 7_200 });

  /** Returns the monitor in the overview and its own page, and the rows of its table of days in both. */
  function shown(days: MonitorData['days'], fields: Partial<MonitorData> = {}) {
    const api = monitor('API', { days, ...fields });
    const html = [
      htmlOf(overview([section('Core', [api])])),
      renderMonitor({ page: head(), monitor: api, day_incidents: [] }, view).body,
    ];
    const rows = html.map((text) =>
      [...text.matchAll(/<tr data-day.*?><th scope="row">(\d.*?)<\/th><td>(.*?)<\/td>/g)].map(
        ([, date, parts]) => [date, parts],
      ),
    );
    return { html, rows };
  }

  it('omit the time before its first data', () => {
    const { html, rows } = shown([...empty, created, today]);
    expect(rows).toEqual([[], []]);
    expect(html[0]).not.toMatch(/<summary>[A-Z]/);
    expect(html[1]).not.toMatch(/Details|No problems|No data/);
    expect(html[1]).toContain('Operational</span></span></th><td>2 d 14 h');
    expect(html[0]).toContain('no problems, Monitored since 18 Nov 2026"');
  });

  it('include problems of the first day and gaps after it', () => {
    const first = { ...created, operational: 7_140, major_outage: 60 };
    const gap = day('2026-11-20', { operational: DAY - 3_600, unknown: 3_600 });
    const lost = day('2026-11-19', { unknown: DAY });
    const expected = [
      ['20 Nov 2026', 'No data 1 h'],
      ['19 Nov 2026', 'No data all day'],
      ['18 Nov 2026', 'Major outage 1 min'],
    ];
    expect(shown([...empty, first, lost, gap, today]).rows).toEqual([expected, expected]);
  });

  it('include a gap that follows operational days', () => {
    const expected = [
      ['18 Nov 2026', 'No data 22 h'],
      ['25 Aug\u2009–\u200917 Nov 2026', 'No data all day'],
    ];
    expect(shown([...empty.slice(1), created, today]).rows).toEqual([expected, expected]);
  });

  it('include a gap after operational days that follow the time before its first data', () => {
    const gap = day('2026-11-20', { operational: DAY - 3_600, unknown: 3_600 });
    const expected = [['20 Nov 2026', 'No data 1 h']];
    expect(shown([...empty, gap, today]).rows).toEqual([expected, expected]);
  });

  it('contain no rows, and no claim that it had no problems, if it has no data', () => {
    const fields = { status: 'unknown', uptime: null, observed_seconds: 0 } as const;
    const all = datesUntil('2026-11-21').map((date) => day(date, { unknown: DAY }));
    const { html, rows } = shown([...all, day('2026-11-21', { unknown: 45_296 })], fields);
    expect(rows).toEqual([[], []]);
    expect(html[1]).not.toMatch(/Details|No problems|Total|<td>/);
  });
});

describe('the history', () => {
  it('shows a neutral icon, because it does not contain the current status', () => {
    const data = { page: head(), month: '2026-11', previous: null, next: null };
    const html = renderMonth({ ...data, incidents: [], maintenances: [] }, view).body;
    expect(iconIn(html)).toContain('fill="#64748b"');
  });

  it('lists incidents and maintenance windows of the month together, newest first', () => {
    const html = renderMonth(
      {
        page: head(),
        month: '2026-11',
        previous: '2026-10',
        next: null,
        incidents: [incident('Incident of the 21st')],
        maintenances: [maintenance('Maintenance of the 22nd')],
      },
      view,
    ).body;
    expect(html.indexOf('Maintenance of the 22nd')).toBeLessThan(html.indexOf('Incident of the 21st'));
    expect(html).toContain(
      '<a href="/status/acme/history?month=2026-10" rel="prev">Earlier: October 2026</a>',
    );
    expect(html).not.toContain('rel="next"');
  });
});

describe('the 404 page', () => {
  it('stays the same and loads nothing', () => {
    expect(renderNotFound()).toEqual(renderNotFound());
    expect(renderNotFound().body).not.toMatch(/<script|<link (?!rel="icon" href="data:)/);
  });
});
