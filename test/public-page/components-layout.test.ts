import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '../../src/monitors/monitor-status.js';
import { renderIncident } from '../../src/page-documents/components/incident-page.js';
import { renderMaintenance } from '../../src/page-documents/components/maintenance-page.js';
import { renderNotFound } from '../../src/page-documents/components/message-page.js';
import { renderOverview } from '../../src/page-documents/components/overview-page.js';
import type { PageBranding } from '../../src/page-model/branding.js';
import type { IncidentData, MaintenanceData, Overview } from '../../src/page-model/page-data.js';
import { viewOf } from '../../src/page-model/view.js';
import { exportedLinks } from '../../src/page-documents/export/export-links.js';
import {
  day,
  DEFAULT_BRANDING,
  head,
  incident,
  maintenance,
  monitor,
  overview,
  section,
  view,
} from './components-data.js';

const htmlOf = (data: Overview): string => renderOverview(data, view).body;

/** Returns monitors by their names, with these statuses. */
const named = (status: MonitorStatus, ...names: string[]) =>
  names.map((name) => monitor(name, { monitor_id: name, status }));

/** Returns the line below the headline as text, or undefined. */
const wrongIn = (html: string): string | undefined =>
  /<p class="wrong">(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<\/?bdi>/g, '');

describe('the line below the headline', () => {
  /** Returns the line of a page with these monitors. */
  const wrongWith = (...groups: ReturnType<typeof named>[]) =>
    wrongIn(htmlOf(overview([section('Core', groups.flat())])));
  const fine = named('operational', 'A', 'B', 'C');

  it('names the monitors that are not operational, worst first, and counts the others', () => {
    expect(wrongWith(fine, named('degraded_performance', 'API'), named('major_outage', 'Web'))).toBe(
      'Web down. API degraded. 3\u00a0others operational.',
    );
    expect(wrongWith(named('operational', 'A'), named('partial_outage', 'API'))).toBe(
      'API partially down. 1\u00a0other operational.',
    );
    expect(wrongWith(fine, named('unknown', 'API', 'Web'))).toBe(
      'API and Web not reporting. 3\u00a0others operational.',
    );
    expect(wrongWith(named('under_maintenance', 'API'))).toBe('API under maintenance.');
  });

  it('names at most three monitors with one status', () => {
    expect(wrongWith(fine, named('degraded_performance', 'K', 'L', 'M', 'N', 'O'))).toBe(
      'K, L, M, and 2\u00a0others degraded. 3\u00a0others operational.',
    );
  });

  it('gives the number of monitors from the third status on', () => {
    const groups = (['major_outage', 'partial_outage', 'degraded_performance', 'unknown'] as const).map(
      (status) => named(status, `${status} 1`, `${status} 2`),
    );
    expect(wrongWith(...groups)).toBe(
      'major_outage 1 and major_outage 2 down. partial_outage 1 and partial_outage 2 partially down. 2\u00a0systems degraded. 2\u00a0systems not reporting.',
    );
  });

  it('shortens long names, and names fewer monitors with long names', () => {
    const names = ['a', 'b', 'c'].map((letter) => letter.repeat(200));
    expect(wrongWith(named('major_outage', ...names), fine)).toBe(
      `${'a'.repeat(39)}… and 2\u00a0others down. 3\u00a0others operational.`,
    );
  });

  it('names a monitor in several sections once, in its own direction', () => {
    const [api] = named('major_outage', 'API');
    if (!api) throw new Error('no monitor');
    const data = overview([section('One', [api, ...fine]), section('Two', [api])]);
    const html = htmlOf({ ...data, counts: { ...data.counts, total: 4, major_outage: 1 } });
    expect(html).toContain('<p class="wrong"><bdi>API</bdi> down. 3\u00a0others operational.</p>');
  });

  it('disappears if everything is operational, or the headline describes all monitors', () => {
    expect(wrongWith(fine)).toBeUndefined();
    expect(wrongWith(named('degraded_performance', 'A', 'B'))).toBeUndefined();
    expect(wrongWith(named('unknown', 'A', 'B'))).toBeUndefined();
  });

  it('shows that all systems are operational only with an incident that has no impact of its own', () => {
    const withImpact = (impact: 'none' | 'major') =>
      wrongIn(htmlOf(overview([section('Core', fine)], { incidents: [incident('Slow', { impact })] })));
    expect(withImpact('none')).toBe('All systems operational.');
    expect(withImpact('major')).toBeUndefined();
  });

  it('explains a page without monitors', () => {
    const html = htmlOf(overview([]));
    expect(html).toContain('<h1>No systems on this page</h1>');
    expect(wrongIn(html)).toMatch(/^This page does not list any systems yet\./);
  });
});

describe('the alert around the first lines', () => {
  /** Returns the class of the alert, or undefined. */
  const alertIn = (html: string) => /<div class="alert ([a-z]+)">/.exec(html)?.[1];

  it.each([
    ['operational', undefined],
    ['unknown', undefined],
    ['degraded_performance', 'degraded'],
    ['partial_outage', 'partial'],
    ['major_outage', 'major'],
    ['under_maintenance', 'maintenance'],
  ] as const)('appears on an overview with the status %s as: %s', (status, expected) => {
    expect(alertIn(htmlOf(overview([section('Core', named(status, 'API'))])))).toBe(expected);
  });

  it('contains the headline, what is wrong and the time of the last update', () => {
    const html = htmlOf(overview([section('Core', named('major_outage', 'A', 'B').slice(0, 1))]));
    const [, alert = ''] = /<div class="alert major">(.*?)<\/p><\/div>/s.exec(html) ?? [];
    expect(alert).toMatch(/^<div class="headline">.*<p class="wrong">.*<p class="updated">/s);
  });

  it('turns gray-blue for an open incident without impact, and disappears on a page without systems', () => {
    const incidents = [incident('Slow', { impact: 'none' })];
    expect(alertIn(htmlOf(overview([section('Core', named('operational', 'API'))], { incidents })))).toBe(
      'neutral',
    );
    expect(alertIn(htmlOf(overview([])))).toBeUndefined();
  });

  it('appears on the page of an incident until that is resolved', () => {
    const alertOf = (fields: Partial<IncidentData>) =>
      alertIn(renderIncident({ page: head(), incident: incident('Slow', fields) }, view).body);
    expect(alertOf({ impact: 'critical' })).toBe('major');
    expect(alertOf({ impact: 'critical', status: 'resolved' })).toBeUndefined();
  });

  it('appears on the page of a maintenance window only while it is in progress', () => {
    const alertOf = (status: MaintenanceData['status']) =>
      alertIn(renderMaintenance({ page: head(), maintenance: maintenance('Move', { status }) }, view).body);
    expect(alertOf('in_progress')).toBe('maintenance');
    for (const status of ['scheduled', 'completed', 'cancelled'] as const)
      expect(alertOf(status)).toBeUndefined();
  });
});

describe('the axis below the bars', () => {
  const [old, first, second] = ['2026-08-01', '2026-11-18', '2026-11-20'];

  /** Returns the class and the date of each axis on a page with sections whose monitors began on these days. */
  const axesOf = (...sections: string[][]) => {
    const monitorsOf = (days: string[]) =>
      days.map((date) =>
        monitor(date, {
          monitor_id: date,
          days: [day(date, { operational: 50_400 })],
          observed_seconds: date === old ? 86_400 : 50_400,
        }),
      );
    const html = htmlOf(overview(sections.map((days, index) => section(`${index}`, monitorsOf(days)))));
    return [...html.matchAll(/<p class="(axis.*?)">(?:<span>Monitored since (.*?)<\/span>)?<\/p>/g)].map(
      ([, name, since]) => [name, since],
    );
  };

  it('counts as repeated from the second section on', () => {
    expect(axesOf([old], [old, first], [], [old])).toEqual([
      ['axis', undefined],
      ['axis again', undefined],
      ['axis again', undefined],
    ]);
  });

  it('stays if a section before has another first day', () => {
    expect(axesOf([first], [first], [second], [first])).toEqual([
      ['axis', '18 Nov 2026'],
      ['axis again', '18 Nov 2026'],
      ['axis', '20 Nov 2026'],
      ['axis', '18 Nov 2026'],
    ]);
    expect(axesOf([old], [first])).toEqual([
      ['axis', undefined],
      ['axis', '18 Nov 2026'],
    ]);
    expect(axesOf([first], [old])).toEqual([
      ['axis', '18 Nov 2026'],
      ['axis', undefined],
    ]);
  });
});

describe('the order of the overview', () => {
  it('begins with open incidents and maintenance in progress, and ends with past incidents', () => {
    const html = htmlOf(
      overview([section('Core', named('operational', 'API'))], {
        incidents: [incident('Slow')],
        maintenances: [maintenance('Move', { status: 'in_progress' }), maintenance('Later')],
      }),
    );
    const titles = [...html.matchAll(/<h[23][^>]*>(?:<a[^>]*>)?(?:<bdi>)?(.*?)</g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Open incidents',
      'Slow',
      'Maintenance in progress',
      'Move',
      'Core',
      'Upcoming maintenance',
      'Later',
      'Past incidents and maintenance',
      'Subscribe to updates',
    ]);
  });

  it('shows the newest update of an incident, and collapses the earlier ones', () => {
    const [newest] = incident('Slow').updates;
    if (!newest) throw new Error('no update');
    const updates = ['third', 'second', 'first'].map((body) => ({ ...newest, id: body, body }));
    const html = htmlOf(overview([], { incidents: [incident('Slow', { updates })] }));
    const [card = ''] = /<article.*?<\/article>/s.exec(html) ?? [];
    const [shown = '', hidden = ''] = card.split('<details class="earlier">');
    expect(shown).toContain('third');
    expect(shown).not.toContain('second');
    expect(hidden).toMatch(/^<summary>2 earlier updates<\/summary>.*second.*first/s);
    expect(htmlOf(overview([], { incidents: [incident('Slow')] }))).not.toContain('class="earlier"');
  });
});

/** Returns the HTML of a page with branding. */
const branded = (branding: Partial<PageBranding>): string =>
  htmlOf(
    overview([section('Core', named('operational', 'API'))], {
      page: head({ branding: { ...DEFAULT_BRANDING, ...branding } }),
    }),
  );

const headerIn = (html: string): string => /<header.*?<\/header>/s.exec(html)?.[0] ?? '';
const footerIn = (html: string): string => /<footer.*?<\/footer>/s.exec(html)?.[0] ?? '';

describe('the header', () => {
  const logo = {
    hash: '0123456789abcdef',
    extension: 'png',
    content_type: 'image/png',
    width: 800,
    height: 100,
  } as const;
  const logo_dark = { ...logo, hash: 'fedcba9876543210', width: 20, height: 20 };
  const IMG = '<img src="/status/acme/logo-0123456789abcdef.png" alt="Acme" width="220" height="28"/>';
  const DARK_IMG =
    '<img src="/status/acme/logo-dark-fedcba9876543210.png" alt="Acme" width="20" height="20"/>';

  it('shows the name, links to the history and to the ways to subscribe', () => {
    const header = headerIn(branded({}));
    expect(header).toContain('<a href="/status/acme"><bdi>Acme</bdi></a>');
    expect(header).toContain('<a href="/status/acme/history?month=2026-11">History</a>');
    expect(header).toContain('<a class="button" href="#subscribe">Subscribe</a>');
    expect(header).not.toContain('<img');
  });

  it('links to the form if the page has one, and to the feeds in an export, which has no forms', () => {
    const page = head({ subscribing: 'mail' });
    expect(headerIn(htmlOf(overview([], { page })))).toContain(
      '<a class="button" href="/status/acme/subscribe">Subscribe</a>',
    );
    const links = exportedLinks('index.html', 'https://status.example.com', () => undefined);
    const { body } = renderOverview(overview([], { page }), viewOf(links, page));
    expect(headerIn(body)).toContain('<a class="button" href="#subscribe">Subscribe</a>');
    expect(body).not.toContain('/subscribe"');
  });

  it('contains the text that the page may be out of date only for the script', () => {
    const html = branded({});
    expect(html).toContain('data-text="This page may be out of date."');
    expect(html.replaceAll(/<[^>]*>/g, '')).not.toContain('out of date');
  });

  it('shows own links, which pass on no rank, and the website', () => {
    const links: PageBranding['links'] = [
      { label: 'Docs', url: 'https://acme.example/docs', placement: 'header' },
      { label: 'Imprint', url: 'https://acme.example/imprint', placement: 'footer' },
    ];
    const html = branded({
      links,
      website_url: 'https://acme.example/',
      support_url: 'mailto:a@acme.example',
    });
    expect(headerIn(html)).toContain(
      '<a href="https://acme.example/docs" rel="nofollow noopener"><bdi>Docs</bdi></a> <a href="https://acme.example/" rel="nofollow noopener">Visit website</a>',
    );
    expect(headerIn(html)).not.toContain('Imprint');
    expect(footerIn(html)).toContain(
      '<a href="https://acme.example/imprint" rel="nofollow noopener"><bdi>Imprint</bdi></a>',
    );
    expect(footerIn(html)).toContain(
      '<a href="mailto:a@acme.example" rel="nofollow noopener">Contact support</a>',
    );
    expect(footerIn(html)).not.toContain('Docs');
  });

  it('omits the navigation without links', () => {
    const page = head({ show_history: false, rss_enabled: false });
    const html = htmlOf(overview([], { page }));
    expect(html).not.toMatch(/<nav(?! class="languages")|subscribe"|Subscribe/);
  });

  it('shows the logo within 220 × 36 pixels, with the name as its text', () => {
    const header = headerIn(branded({ logo }));
    expect(header).toContain(`<a href="/status/acme">${IMG}</a>`);
    expect(header).not.toContain('<picture');
    expect(header).not.toContain('<bdi>Acme');
  });

  it('enlarges only vector graphics', () => {
    const small = { ...logo, width: 10, height: 10 };
    expect(branded({ logo: small })).toContain('width="10" height="10"');
    expect(branded({ logo: { ...small, extension: 'svg' } })).toContain('width="36" height="36"');
  });

  it('shows the logo of the color scheme', () => {
    expect(headerIn(branded({ logo, logo_dark }))).toContain(
      `<picture><source media="(prefers-color-scheme: dark)" srcset="/status/acme/logo-dark-fedcba9876543210.png" width="20" height="20"/>${IMG}</picture>`,
    );
    expect(headerIn(branded({ logo, logo_dark, theme: 'light' }))).toContain(
      `<a href="/status/acme">${IMG}</a>`,
    );
    expect(headerIn(branded({ logo, logo_dark, theme: 'dark' }))).toContain(
      `<a href="/status/acme">${DARK_IMG}</a>`,
    );
    expect(headerIn(branded({ logo, theme: 'dark' }))).toContain(IMG);
    expect(headerIn(branded({ logo_dark }))).toContain(DARK_IMG);
  });

  it('comes with the favicon of the page, or an icon of the status', () => {
    expect(branded({})).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(branded({ favicon: logo })).toContain(
      '<link rel="icon" href="/status/acme/favicon-0123456789abcdef.png"/>',
    );
  });
});

describe('the theme', () => {
  const stylesIn = (html: string): string => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';

  it("auto follows the visitor's color scheme", () => {
    const html = branded({});
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    // page.css twice, signs.css, and the accent color
    expect(stylesIn(html).match(/\(prefers-color-scheme: dark\)/g)).toHaveLength(4);
  });

  it.each([
    ['light', '(max-width: 0)'],
    ['dark', '(min-width: 0)'],
  ] as const)('%s is the only color scheme of the page', (theme, media) => {
    const html = branded({ theme });
    expect(html).toContain(`<meta name="color-scheme" content="${theme}"/>`);
    expect(stylesIn(html)).not.toContain('prefers-color-scheme');
    expect(stylesIn(html).split(`@media screen and ${media}`)).toHaveLength(3);
    expect(stylesIn(html)).toContain(`@media screen and (prefers-contrast: more) and ${media}`);
  });
});

describe('the footer', () => {
  it('explains the feeds and the calendar', () => {
    const footer = footerIn(branded({}));
    expect(footer).toMatch(
      /<section id="subscribe" aria-labelledby="(.*?)"><h2 id="\1">Subscribe to updates</,
    );
    for (const [path, text] of [
      ['feed.rss', 'RSS'],
      ['feed.atom', 'Atom'],
      ['feed.json', 'JSON Feed'],
      ['maintenance.ics', 'Maintenance calendar'],
    ])
      expect(footer).toContain(`<a href="/status/acme/${path}">${text}</a>`);
    expect(footer).toContain(
      'Each update of an incident or of maintenance, in a feed reader or a chat tool.',
    );
  });
});

describe('the 404 page', () => {
  it('links to the status page of the server only if there is one', () => {
    expect(renderNotFound().body).not.toContain('<a class="button"');
    expect(renderNotFound('/our/').body).toContain(
      '<a class="button" href="/our/">Go to the status page</a>',
    );
  });

  it('contains an icon, and its main element is the target of the skip link', () => {
    expect(renderNotFound().body).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(renderNotFound().body).toMatch(/<a class="skip" href="#main">.*<main id="main"/s);
  });
});

describe('a stylesheet', () => {
  it.each(['page.css', 'signs.css', 'part.css', 'form.css'])(
    'works in right-to-left languages, because it contains only logical properties: %s',
    (file) => {
      const styles = readFileSync(`src/page-documents/assets/${file}`, 'utf8');
      expect(
        styles.match(
          /(?:margin|padding|border)-(?:left|right)|^\s*(?:left|right):|text-align: (?:left|right)/gm,
        ),
      ).toBe(null);
    },
  );
});
