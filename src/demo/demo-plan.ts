import type { ReportedStatus } from '../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import type { MonitorName } from './demo-pages.js';

// Demo incidents and maintenance windows. Times are in minutes before the demo is created.

const HOUR = 60;
const DAY = 24 * HOUR;

/** Number of days of history in the demo. */
export const HISTORY_DAYS = 90;

export interface PlannedUpdate {
  /** Only for the documented examples. */
  id?: string;
  /** Minutes after the start of the incident. The first update takes effect at the start. */
  after: number;
  status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  body: string;
  /** Monitors that are affected from then on; omitted: unchanged. */
  monitors?: { name: MonitorName; status: ReportedStatus }[];
}

export interface PlannedIncident {
  id?: string;
  title: string;
  /** Minutes ago. */
  started: number;
  updates: PlannedUpdate[];
  postmortem?: string;
}

/** Oldest first. The last incident is open. */
export const INCIDENTS: PlannedIncident[] = [
  {
    title: 'Webhooks arrive late',
    started: 61 * DAY + 5 * HOUR,
    updates: [
      {
        after: 9,
        status: 'investigating',
        body: 'Webhooks arrive up to ten minutes late. We are looking into it.',
        monitors: [{ name: 'Webhooks', status: 'degraded_performance' }],
      },
      {
        after: 31,
        status: 'identified',
        body: 'A queue is full because one of its workers hangs. We are adding workers.',
      },
      { after: 74, status: 'monitoring', body: 'The queue is getting shorter. No webhook was lost.' },
      { after: 118, status: 'resolved', body: 'Webhooks arrive within a second again.' },
    ],
  },
  {
    title: 'Frankfurt region unavailable',
    started: 18 * DAY + 7 * HOUR,
    updates: [
      {
        after: 4,
        status: 'investigating',
        body: 'The region **Europe (Frankfurt)** is unreachable. Other regions are not affected.',
        monitors: [
          { name: 'Europe (Frankfurt)', status: 'major_outage' },
          { name: 'File storage', status: 'partial_outage' },
        ],
      },
      {
        after: 22,
        status: 'identified',
        body: 'A router of our provider has failed. Traffic is being moved to another one.',
      },
      {
        after: 41,
        status: 'monitoring',
        body: 'Most requests succeed again. Files of this region can still be slow.',
        monitors: [
          { name: 'Europe (Frankfurt)', status: 'partial_outage' },
          { name: 'File storage', status: 'degraded_performance' },
        ],
      },
      {
        after: 66,
        status: 'resolved',
        body: 'The region works normally again. We will publish a postmortem.',
      },
    ],
    postmortem:
      '## What happened\n\nA router failed. Its backup did not take over because its routes were out of date.\n\n## What we are changing\n\n- We test the failover every week.\n- An alert fires if routes are older than an hour.',
  },
  {
    title: 'Emails are delayed',
    started: 6 * DAY + 3 * HOUR,
    updates: [
      {
        after: 12,
        status: 'investigating',
        body: 'Emails arrive up to 20 minutes late. We are looking into it.',
        monitors: [{ name: 'Email delivery', status: 'degraded_performance' }],
      },
      {
        after: 40,
        status: 'identified',
        body: 'Our email provider rejects part of our messages. We keep them and retry.',
        monitors: [{ name: 'Email delivery', status: 'partial_outage' }],
      },
      {
        after: 95,
        status: 'monitoring',
        body: 'The provider accepts messages again. Delayed messages are being sent.',
        monitors: [{ name: 'Email delivery', status: 'degraded_performance' }],
      },
      { after: 130, status: 'resolved', body: 'All delayed emails have been sent. No email was lost.' },
    ],
  },
  {
    id: EXAMPLE_IDS.incident,
    title: 'Slow responses from the API',
    started: 52,
    updates: [
      {
        after: 5,
        status: 'investigating',
        body: 'Some requests take several seconds. We are looking into it.',
        monitors: [{ name: 'API', status: 'degraded_performance' }],
      },
      {
        id: EXAMPLE_IDS.incident_update,
        after: 33,
        status: 'identified',
        body: 'A node has failed. We are replacing it.',
      },
    ],
  },
];

/** Short degradations without an incident. */
export const DEGRADATIONS: { name: MonitorName; started: number; minutes: number }[] = [
  { name: 'File storage', started: 10 * DAY + 4 * HOUR, minutes: 14 },
];

export interface PlannedMaintenance {
  id?: string;
  title: string;
  body: string;
  /** Minutes from now. */
  starts: number;
  minutes: number;
  monitors: MonitorName[];
  /** `ago`: minutes ago. */
  updates?: { id?: string; ago: number; body: string }[];
}

/** Oldest first. The last window is upcoming. */
export const MAINTENANCES: PlannedMaintenance[] = [
  {
    title: 'Payment provider migration',
    body: 'Payments will be unavailable for about 30 minutes.',
    starts: -(33 * DAY + 2 * HOUR),
    minutes: 30,
    monitors: ['Payments'],
  },
  {
    id: EXAMPLE_IDS.maintenance,
    title: 'Database upgrade',
    body: 'Writes are delayed for a few minutes.',
    starts: 3 * DAY,
    minutes: 2 * HOUR,
    monitors: ['API', 'Dashboard'],
    updates: [
      {
        id: EXAMPLE_IDS.maintenance_update,
        ago: DAY,
        body: 'The rehearsal took 20 minutes. The plan is unchanged.',
      },
    ],
  },
];

/** Template of the demo, without its monitors. */
export const TEMPLATE = {
  name: 'API outage',
  title: 'The API is unavailable',
  body: 'Requests to the API fail. We are investigating.',
  status: 'investigating',
} as const;

/** Titles and texts of incident drafts. */
export const DRAFTS = [
  { title: 'Search returns old results', body: 'New documents appear in the search with a delay.' },
  { title: 'Some images do not load', body: 'We are looking for the cause.' },
];
