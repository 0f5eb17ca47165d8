import { renderOverview } from '../../src/page-documents/components/overview-page.js';
import { noSeconds, type Seconds } from '../../src/summaries/days/uptime.js';
import type { MonitorStatus } from '../../src/monitors/monitor-status.js';
import type {
  DayData,
  IncidentData,
  MaintenanceData,
  MonitorData,
  Overview,
  PageHead,
  SectionData,
} from '../../src/page-model/page-data.js';
import type { PageBranding } from '../../src/page-model/branding.js';
import { servedLinks } from '../../src/page-model/links.js';
import { viewOf } from '../../src/page-model/view.js';
import { headlineOf } from '../../src/summaries/headline.js';
import { countsOf } from '../../src/summaries/status-counts.js';

// Contents of pages, for HTML tests without a server.

export const AS_OF = new Date('2026-11-21T12:34:56.000Z');

const times = { created_at: AS_OF, updated_at: AS_OF };

/** Default branding of a page. */
export const DEFAULT_BRANDING: PageBranding = {
  language: 'en',
  time_zone: 'UTC',
  website_url: null,
  support_url: null,
  links: [],
  theme: 'auto',
  show_response_times: false,
  logo: null,
  logo_dark: null,
  favicon: null,
};

export const head = (fields: Partial<PageHead> = {}): PageHead => ({
  id: '018cc251-f400-7000-8000-00000000000a',
  slug: 'acme',
  name: 'Acme',
  description: 'All of Acme.',
  accent_color: '#2563eb',
  is_public: true,
  show_powered_by: true,
  show_history: true,
  history_days: 90,
  rss_enabled: true,
  subscribing: null,
  branding: DEFAULT_BRANDING,
  ...times,
  as_of: AS_OF,
  ...fields,
});

export const view = viewOf(servedLinks({ public_url: 'https://status.example.com' }, 'acme'), head());

export const day = (date: string, seconds: Partial<Seconds>): DayData => ({
  ...noSeconds(),
  ...seconds,
  day: date,
});

export const today = day('2026-11-21', { operational: 45_296 });

export const monitor = (name: string, fields: Partial<MonitorData> = {}): MonitorData => ({
  monitor_id: '018cc251-f400-7000-8000-00000000000b',
  name,
  description: '',
  status: 'operational',
  ...times,
  uptime: 100,
  observed_seconds: 86_400,
  days: [today],
  ...fields,
});

export const section = (title: string, monitors: MonitorData[], status: MonitorStatus = 'operational') => ({
  id: title,
  title,
  status,
  counts: countsOf(monitors.map((one) => one.status)),
  monitors,
});

export const overview = (sections: SectionData[], fields: Partial<Overview> = {}): Overview => {
  const counts = countsOf(sections.flatMap(({ monitors }) => monitors.map(({ status }) => status)));
  const incidents = fields.incidents ?? [];
  return {
    page: head(),
    headline: headlineOf(
      counts,
      incidents.map((one) => ({ ...one, monitors: one.affected_now })),
    ),
    counts,
    sections,
    incidents,
    maintenances: [],
    recent: { incidents: [], maintenances: [] },
    day_incidents: [],
    ...fields,
  };
};

export const incident = (title: string, fields: Partial<IncidentData> = {}): IncidentData => ({
  id: '018cc251-f400-7000-8000-00000000000c',
  title,
  status: 'investigating',
  impact: 'major',
  started_at: new Date('2026-11-21T10:00:00.000Z'),
  resolved_at: null,
  postmortem: null,
  ...times,
  updates: [
    {
      id: '018cc251-f400-7000-8000-00000000000d',
      status: 'investigating',
      body: '# Why\n\nWe are **looking**.',
      affected: null,
      posted_at: AS_OF,
      ...times,
    },
  ],
  affected: [],
  affected_now: [],
  ...fields,
});

export const maintenance = (title: string, fields: Partial<MaintenanceData> = {}): MaintenanceData => ({
  id: '018cc251-f400-7000-8000-00000000000e',
  title,
  body: '',
  status: 'scheduled',
  starts_at: new Date('2026-11-22T10:00:00.000Z'),
  ends_at: new Date('2026-11-22T12:00:00.000Z'),
  ended_at: new Date('2026-11-22T12:00:00.000Z'),
  ...times,
  updates: [],
  monitors: [],
  ...fields,
});

/** Returns the document of an overview. */
export const htmlOf = (data: Overview): string => renderOverview(data, view).body;

/** Returns the SVG of the icon in the browser tab. */
export const iconIn = (html: string) =>
  decodeURIComponent(/<link rel="icon" href="data:image\/svg\+xml,(.*?)"/.exec(html)?.[1] ?? '');
