import ICAL from 'ical.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badgeJson, badgeSvg } from '../../../src/page-documents/feeds/badge.js';
import { calendar } from '../../../src/page-documents/feeds/calendar.js';
import { feed } from '../../../src/page-documents/feeds/feed.js';
import type { IncidentData, MaintenanceData, Overview, PageHead } from '../../../src/page-model/page-data.js';
import { plainText } from '../../../src/page-model/plain-text.js';
import { DEFAULT_BRANDING } from '../components-data.js';
import { servedLinks } from '../../../src/page-model/links.js';
import { viewOf } from '../../../src/page-model/view.js';
import { FEED_FORMATS } from '../../../src/page-model/parts.js';
import { countsOf } from '../../../src/summaries/status-counts.js';
import { isThorough } from '../../support/thorough.js';
import { readFeed, titleIn } from './use-feeds.js';
import { textsIn } from './xml.js';

const TIME = new Date('2026-11-21T10:00:00.000Z');
const TIMES = { created_at: TIME, updated_at: TIME };
const VIEW = viewOf(servedLinks({ public_url: 'https://status.example' }, 'acme'), {
  branding: DEFAULT_BRANDING,
  as_of: new Date('2026-11-21T12:34:56.000Z'),
});
const RUNS = { numRuns: isThorough ? 800 : 200 };

/** Returns a text of any characters that the database can store, as the page reader returns it. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom('&', ';', '#x41;', 'lt;', 'amp;', '<', '>', ']]>', '"', '\\', '\n', '\r', 'a', '😀'),
      )
      .map((parts) => parts.join('')),
  )
  .map(plainText);

function pageSaying(text: string): PageHead {
  return {
    id: '018cc251-f400-7000-8000-000000000003',
    slug: 'acme',
    name: text,
    description: text,
    accent_color: '#2563eb',
    is_public: true,
    show_powered_by: true,
    show_history: true,
    history_days: 90,
    rss_enabled: true,
    subscribing: null,
    branding: DEFAULT_BRANDING,
    as_of: TIME,
    ...TIMES,
  };
}

function latestSaying(text: string) {
  const monitor = { monitor_id: '018cc251-f400-7000-8000-000000000001', name: text };
  const incident: IncidentData = {
    id: '018cc251-f400-7000-8000-000000000006',
    title: text,
    status: 'investigating',
    impact: 'major',
    started_at: TIME,
    resolved_at: null,
    postmortem: text,
    affected: [{ ...monitor, status: 'major_outage' }],
    affected_now: [{ ...monitor, status: 'major_outage' }],
    updates: [
      {
        id: '018cc251-f400-7000-8000-000000000007',
        status: 'investigating',
        body: text,
        affected: [{ ...monitor, status: 'major_outage' }],
        posted_at: TIME,
        ...TIMES,
      },
    ],
    ...TIMES,
  };
  const maintenance: MaintenanceData = {
    id: '018cc251-f400-7000-8000-000000000008',
    title: text,
    body: text,
    status: 'scheduled',
    starts_at: new Date(TIME.getTime() + 1_000),
    ends_at: new Date(TIME.getTime() + 2_000),
    ended_at: new Date(TIME.getTime() + 2_000),
    monitors: [monitor],
    updates: [
      {
        id: '018cc251-f400-7000-8000-000000000009',
        body: text,
        posted_at: new Date(TIME.getTime() + 500),
        ...TIMES,
      },
    ],
    ...TIMES,
  };
  return { page: pageSaying(text), incidents: [incident], maintenances: [maintenance] };
}

function overviewSaying(text: string): Overview {
  return {
    ...latestSaying(text),
    headline: { status: 'major_outage', kind: 'major_outage' },
    counts: countsOf(['major_outage']),
    sections: [],
    recent: { incidents: [], maintenances: [] },
    day_incidents: [],
  };
}

describe('any text', () => {
  it.each(FEED_FORMATS)('appears in a valid feed: %s', (format) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { title, entries } = readFeed(format, feed(format, latestSaying(text), VIEW).body);
        expect(title).toBe(titleIn(format, `${text} status`));
        expect(entries.map((entry) => entry.title)).toEqual([
          titleIn(format, `Maintenance update: ${text}`),
          titleIn(format, `Maintenance: ${text}`),
          titleIn(format, `Investigating: ${text}`),
        ]);
      }),
      RUNS,
    );
  });

  it('appears in the calendar', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { body } = calendar(latestSaying(text), VIEW);
        const [event, ...others] = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents();
        expect([event?.getFirstPropertyValue('summary'), others]).toEqual([text, []]);
        expect(Math.max(...body.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(
          75,
        );
      }),
      RUNS,
    );
  });

  it('produces a well-formed badge with the same label in SVG and JSON', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const overview = overviewSaying(text);
        const [title = ''] = textsIn(badgeSvg(overview, VIEW).body, '/svg:svg/@aria-label');
        const { label }: { label: string } = JSON.parse(badgeJson(overview, VIEW).body);
        expect(title).toBe(label === '' ? 'major outage' : `${label}: major outage`);
      }),
      RUNS,
    );
  });
});
