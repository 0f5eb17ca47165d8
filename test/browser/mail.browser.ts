import { describe, expect, it } from 'vitest';
import { eventMail } from '../../src/mail/components/event-mail.js';
import { accessMail, confirmationMail, subscribedMail } from '../../src/mail/components/subscription-mail.js';
import { incidentSubject } from '../../src/mail/mail-subjects.js';
import type { IncidentSubject, MailPage } from '../../src/page-model/mail-content.js';
import { AXE, violationsOf } from './axe.js';
import { useSite } from './use-site.js';

const site = useSite();

const BODY = `## Heading

Text with **bold**, \`code\` and [a link](https://example.org). ${'x'.repeat(200)}

| Region | Requests that fail | Median response time | Longest response time |
| ------ | ------------------ | -------------------- | --------------------- |
| Europe | 4 %                | 2.4 s                | 12.9 s                |

\`\`\`
curl --retry 5 --retry-all-errors https://api.example.com/v1/projects?include=${'members,'.repeat(20)}
\`\`\`

> A quote

- An item`;

const LINKS = {
  subject: 'https://status.example.com/status/acme/incidents/1',
  manage: `https://status.example.com/status/acme/subscription/st_${'A'.repeat(54)}`,
};

const AFFECTED = [{ monitor_id: '1', name: 'API '.repeat(30), status: 'degraded_performance' as const }];

const INCIDENT: IncidentSubject = {
  type: 'incident.created',
  incident: {
    id: '1',
    title: 'A long title of an incident '.repeat(5),
    status: 'investigating',
    affected_now: AFFECTED,
    postmortem: null,
  },
  update: { id: '2', status: 'investigating', body: BODY, affected: AFFECTED, posted_at: new Date() },
};

/** Messages of a page with an accent color. */
function mailsOf(accent_color: string): string[] {
  const page: MailPage = {
    name: 'Acme Cloud',
    slug: 'acme',
    is_public: true,
    accent_color,
    language: 'en',
    time_zone: 'Europe/Berlin',
  };
  return [
    eventMail(page, incidentSubject(page, INCIDENT), LINKS),
    confirmationMail(page, LINKS.manage),
    subscribedMail(page, LINKS.manage),
    accessMail(page, LINKS.manage),
  ].map(({ html }) => html);
}

/** Rules about the structure of a page, which a mail client defines. */
const OF_CLIENTS = /^(region|landmark-one-main):/;

describe('mail', () => {
  it.each([
    ['light', '#fde047'],
    ['light', '#111827'],
    ['dark', '#fde047'],
    ['dark', '#111827'],
    ['dark', '#4f46e5'],
  ] as const)(
    'passes axe without horizontal scrolling in the %s scheme with the accent color %s',
    async (colorScheme, accent) => {
      for (const width of [360, 700]) {
        const { page, requests } = await site.open({ colorScheme, viewport: { width, height: 600 } });
        for (const html of mailsOf(accent)) {
          await page.setContent(html);
          const scrolled = await page.evaluate('document.documentElement.scrollWidth');
          expect(scrolled).toBe(width);
          await page.addScriptTag({ content: AXE });
          const violations = await violationsOf(page);
          expect(violations.filter((violation) => !OF_CLIENTS.test(violation))).toEqual([]);
        }
        expect(requests).toEqual([]);
      }
    },
  );
});
