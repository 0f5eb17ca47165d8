import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { TEXT_OF_STATUS } from '../../src/incidents/update-texts.js';
import { eventMail } from '../../src/mail/components/event-mail.js';
import { accessMail, confirmationMail, subscribedMail } from '../../src/mail/components/subscription-mail.js';
import { incidentSubject, maintenanceSubject } from '../../src/mail/mail-subjects.js';
import {
  type IncidentSubject,
  type MailPage,
  type MaintenanceSubject,
  toMailPage,
} from '../../src/page-model/mail-content.js';
import { DEFAULT_BRANDING, head } from '../public-page/components-data.js';

const PAGE: MailPage = {
  name: 'Acme Cloud',
  slug: 'acme',
  is_public: true,
  accent_color: '#2563eb',
  language: 'en',
  time_zone: 'UTC',
};

const LINKS = {
  subject: 'https://status.example.com/status/acme/incidents/1',
  manage: 'https://status.example.com/status/acme/subscription/st_1',
};

const AFFECTED = [
  { monitor_id: '1', name: 'API', status: 'degraded_performance' as const },
  { monitor_id: '2', name: 'Web', status: 'operational' as const },
];

const incident = (changes: object = {}): IncidentSubject => ({
  type: 'incident.created',
  incident: {
    id: '1',
    title: 'Slow responses from the API',
    status: 'investigating',
    affected_now: AFFECTED,
    postmortem: null,
  },
  update: {
    id: '2',
    status: 'investigating',
    body: 'We **see** <script>alert(1)</script> ![x](https://example.org/pixel.png)',
    affected: AFFECTED,
    posted_at: new Date('2026-11-20T13:50:00Z'),
  },
  ...changes,
});

const MAINTENANCE = {
  id: '1',
  title: 'Database upgrade',
  body: 'Read *only* for an hour.',
  starts_at: new Date('2026-12-01T22:00:00Z'),
  ends_at: new Date('2026-12-01T23:00:00Z'),
  monitors: [{ monitor_id: '1', name: 'API' }],
};

const MAINTENANCE_TYPES = [
  'maintenance.scheduled',
  'maintenance.rescheduled',
  'maintenance.reminder',
  'maintenance.started',
  'maintenance.completed',
  'maintenance.cancelled',
] as const;

const mailAbout = (page: MailPage, about: IncidentSubject | MaintenanceSubject, links: typeof LINKS) =>
  eventMail(
    page,
    'incident' in about ? incidentSubject(page, about) : maintenanceSubject(page, about),
    links,
  );

const hrefsOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

describe('mail about an incident', () => {
  it('uses the title of the incident as its subject, and begins with the worst current status', () => {
    const { subject, text } = mailAbout(PAGE, incident(), LINKS);
    expect(subject).toBe('[Acme Cloud] Slow responses from the API');
    expect(text).toMatch(/^Degraded performance: Slow responses from the API\n/);
  });

  it('contains the Markdown of the update as on the page, without scripts and pictures', () => {
    const { html, text } = mailAbout(PAGE, incident(), LINKS);
    expect(html).toContain('<strong>see</strong>');
    expect(html).not.toMatch(/<(script|img|link|iframe|form)\b/i);
    expect(text).toContain('We **see**');
    expect(text).toContain('Affected: API (degraded performance)');
  });

  it('links only to the page, and to what the update links to', () => {
    const { html, text } = mailAbout(PAGE, incident(), LINKS);
    expect(hrefsOf(html)).toEqual(['https://example.org/pixel.png', LINKS.subject, LINKS.manage]);
    expect(html).not.toMatch(/\b(src|background)=|url\(/i);
    expect(text).toContain(LINKS.subject);
    expect(text).toContain(LINKS.manage);
  });

  it('escapes names and titles', () => {
    const { html } = mailAbout({ ...PAGE, name: '<b>Acme</b>' }, incident(), LINKS);
    expect(html).toContain('&lt;b>Acme&lt;/b>');
    expect(html).not.toContain('<b>');
  });

  it('translates the text of updates that have no text of their own', () => {
    const mail = mailAbout(
      { ...PAGE, language: 'de' },
      incident({
        type: 'incident.resolved',
        update: {
          id: '2',
          status: 'resolved',
          body: TEXT_OF_STATUS.resolved,
          affected: null,
          posted_at: new Date('2026-11-20T13:50:00Z'),
        },
      }),
      LINKS,
    );
    expect(mail.text).toMatch(/^Behoben: Slow responses from the API\n/);
    expect(mail.text).toContain('Dieser Vorfall ist behoben.');
    expect(mail.text).not.toContain('Betroffen');
  });

  it('about a postmortem contains it', () => {
    const mail = mailAbout(
      PAGE,
      incident({
        type: 'incident.postmortem_published',
        incident: {
          id: '1',
          title: 'Slow',
          status: 'resolved',
          affected_now: [],
          postmortem: '# Why\n\nA cable.',
        },
      }),
      LINKS,
    );
    expect(mail.subject).toBe('[Acme Cloud] Slow');
    expect(mail.text).toMatch(/^Postmortem: Slow\n/);
    expect(mail.html).toContain('A cable.');
  });

  it.each([
    ['paragraphs', `${'障害'.repeat(200)}\n\n`.repeat(122)],
    ['one paragraph', '障害'.repeat(24_500)],
    ['characters that HTML escapes', '<'.repeat(49_000)],
    ['surrogate pairs', '🔥'.repeat(24_500)],
  ])(
    'contains at most 90 kB for a postmortem of 49,000 characters in %s, with all links',
    (_name, postmortem) => {
      const { html, text } = mailAbout(
        PAGE,
        incident({
          type: 'incident.postmortem_published',
          incident: { id: '1', title: 'Slow', status: 'resolved', affected_now: [], postmortem },
        }),
        LINKS,
      );
      for (const part of [html, text]) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(90_000);
        expect(Buffer.byteLength(part)).toBeGreaterThan(9_000);
        expect(part).toContain('…');
        expect(part).toContain(LINKS.subject);
        expect(part).toContain(LINKS.manage);
        expect(part.isWellFormed()).toBe(true);
      }
    },
  );
});

describe('mail about maintenance', () => {
  it('contains a different subject for each event, and the planned time', () => {
    const mails = MAINTENANCE_TYPES.map((type) => mailAbout(PAGE, { type, maintenance: MAINTENANCE }, LINKS));
    expect(mails.map(({ subject }) => subject)).toEqual([
      '[Acme Cloud] Maintenance: Database upgrade',
      '[Acme Cloud] Rescheduled: Database upgrade',
      '[Acme Cloud] Starts soon: Database upgrade',
      '[Acme Cloud] In progress: Database upgrade',
      '[Acme Cloud] Completed: Database upgrade',
      '[Acme Cloud] Cancelled: Database upgrade',
    ]);
    // The current year is left out.
    for (const { text } of mails)
      expect(text.replaceAll('\u00a0', ' ')).toMatch(/Planned: 1 Dec( 2026)?, 22:00–23:00 UTC/);
  });
});

describe('mail in each language', () => {
  it.each(LANGUAGES)('%s has words of its own and its language', (language) => {
    const page = { ...PAGE, language };
    const mails = [
      confirmationMail(page, 'https://status.example.com/confirm'),
      subscribedMail(page, 'https://status.example.com/manage'),
      accessMail(page, 'https://status.example.com/access/email/ae_1'),
      mailAbout(page, { type: 'maintenance.reminder', maintenance: MAINTENANCE }, LINKS),
    ];
    const english = confirmationMail(PAGE, 'https://status.example.com/confirm');
    for (const { html, text, subject } of mails) {
      expect(html).toContain(`<html lang="${language}"`);
      expect(text + subject).not.toMatch(/undefined|\$\{/);
    }
    expect(mails[0]?.subject === english.subject).toBe(language === 'en');
  });

  it('links to nothing but the page in a confirmation', () => {
    const link = 'https://status.example.com/status/acme/confirm/st_1';
    expect(hrefsOf(confirmationMail(PAGE, link).html)).toEqual([link]);
  });
});

describe('the head of mail', () => {
  const image = { hash: '0123456789abcdef', extension: 'png', content_type: 'image/png' } as const;
  const logo = { image: { ...image, width: 440, height: 72 }, url: 'https://status.example.com/logo.png' };

  it('contains the logo in its size on the page, with the name as its text', () => {
    const { html } = mailAbout({ ...PAGE, logo }, incident(), LINKS);
    expect(html).toContain(
      '<img src="https://status.example.com/logo.png" alt="Acme Cloud" width="220" height="36"/>',
    );
    expect(mailAbout(PAGE, incident(), LINKS).html).not.toContain('<img');
  });

  it.each([
    ['a public page with a PNG', true, 'png', 'https://status.example.com/logo-0123456789abcdef.png'],
    ['a private page', false, 'png', undefined],
    ['an SVG', true, 'svg', undefined],
  ] as const)('takes the logo only where mail clients can show it: %s', (_, is_public, extension, url) => {
    const branding = { ...DEFAULT_BRANDING, logo: { ...logo.image, extension } };
    const page = toMailPage(head({ is_public, branding }), 'https://status.example.com');
    expect(page.logo?.url).toBe(url);
  });

  it('shows the state as a stripe and a mark', () => {
    expect(mailAbout(PAGE, incident(), LINKS).html).toMatch(
      /border-top:4px solid #bf8210.*>!<\/span>Degraded/,
    );
    expect(confirmationMail(PAGE, LINKS.manage).html).toContain('border-top:4px solid #2563eb');
  });
});
