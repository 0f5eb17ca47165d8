import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderIncident } from '../../src/public-page/components/incident-page.js';
import { renderNotFound } from '../../src/public-page/components/message-page.js';
import { renderMonitor } from '../../src/public-page/components/monitor-page.js';
import { renderMonth } from '../../src/public-page/components/month-page.js';
import { renderOverview } from '../../src/public-page/components/overview-page.js';
import {
  AS_OF,
  day,
  head,
  incident,
  links,
  maintenance,
  monitor,
  overview,
  section,
  today,
} from './components-data.js';

const DAY = 86_400;
const htmlOf = (
  ...[data]: Parameters<typeof renderOverview> extends [infer Data, unknown] ? [Data] : never
) => renderOverview(data, links).body;
const one = section('Core', [monitor('API')]);

describe('the overview', () => {
  it('starts with the headline as its only first-level heading and skips no heading level', () => {
    const html = htmlOf(
      overview([one], {
        incidents: [incident('Slow')],
        maintenances: [maintenance('Move')],
        recent: { incidents: [incident('Past', { status: 'resolved' })], maintenances: [] },
      }),
    );
    expect([...html.matchAll(/<h(\d)/g)].map(([, level]) => level).join('')).toBe('123423223');
    expect(html).toContain('<h1>All systems operational</h1>');
  });

  it('shows the time of the last update with a link to reload', () => {
    const html = htmlOf(overview([one]));
    expect(html).toContain('Last updated <time datetime="2026-11-21T12:34:56.000Z"');
    expect(html).toContain('>21 Nov 2026, 12:34 UTC</time>');
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
      'role="img" aria-label="Last 90 days: 99.99% uptime, 1 day with issues"',
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
    const [newer, older] = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row]) => row);
    expect(newer).toBe('3 Nov 2026</th><td>Degraded performance 1 min</td>');
    expect(older).toBe(
      '2 Nov 2026</th><td>Major outage 19 min · <a href="/status/acme/incidents/incident-1"><bdi>Outage</bdi></a></td>',
    );
  });

  it('shows 100% only for full uptime', () => {
    const uptimes = [100, 99.99, 90, 0, null].map((uptime) => monitor('API', { uptime }));
    const html = htmlOf(overview([section('Core', uptimes)]));
    expect([...html.matchAll(/<p class="axis"><span>(.*?)<\/span>/g)].map(([, text]) => text)).toEqual([
      '100% uptime',
      '99.99% uptime',
      '90.00% uptime',
      '0.00% uptime',
      'No data',
    ]);
  });

  it('omits bars and links to monitors and months if history is disabled', () => {
    const html = htmlOf(overview([one], { page: head({ show_history: false }) }));
    expect(html).not.toMatch(/class="bars"|\/monitors\/|\/history|uptime/);
    expect(html).toContain('<bdi>API</bdi>');
  });

  it('links to feeds and the calendar only if they are enabled', () => {
    const on = htmlOf(overview([one]));
    expect(on.match(/<link rel="alternate"/g)).toHaveLength(3);
    expect(on).toContain('href="/status/acme/maintenance.ics"');
    expect(htmlOf(overview([one], { page: head({ rss_enabled: false }) }))).not.toMatch(
      /feed\.|maintenance\.ics|alternate/,
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
        incidents: [incident(evil, { affected: [{ monitor_id: 'x', name: evil, status: 'major_outage' }] })],
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
    const { body, csp } = renderOverview(overview([one]), links);
    const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
    expect(styles).toContain('--accent:#2563eb');
    expect(csp).toContain(`'sha256-${createHash('sha256').update(styles).digest('base64')}'`);
    expect(body).not.toMatch(/ style=|javascript:| on[a-z]+=/);
  });
});

describe('the page of a monitor', () => {
  it('lists each day with problems, and consecutive days without data in one row', () => {
    const days = [
      ...['2026-08-24', '2026-08-25', '2026-08-26'].map((date) => day(date, { unknown: DAY })),
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
      links,
    ).body;
    expect(html.match(/<tr><th scope="row">\d/g)).toHaveLength(41);
    expect(html).toContain('24 Aug 2026 to 26 Aug 2026</th><td>No data all day');
    expect(html).toContain('Partial outage</span></th><td>40 min');
    expect(html).toContain('No data</span></th><td>3 d');
  });
});

describe('the page of an incident', () => {
  it('shows all updates and the postmortem with lower heading levels', () => {
    const html = renderIncident(
      { page: head(), incident: incident('Slow', { postmortem: '# Cause\n\nA cable.' }) },
      links,
    ).body;
    expect(html).toContain('<h2 id="postmortem">Postmortem</h2>');
    expect(html).toContain('<h3>Cause</h3>');
    expect(html).toContain('id="update-018cc251-f400-7000-8000-00000000000d"');
  });
});

describe('the history', () => {
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
      links,
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
    expect(renderNotFound().body).not.toMatch(/<script|<link/);
  });
});
