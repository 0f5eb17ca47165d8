import type { ReportedStatus } from '../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';

// What the demo data say, as data. Times are in minutes before the creation of the demo, so that a demo is never old.

const HOUR = 60;
const DAY = 24 * HOUR;

/** The number of days that the demo has a history of. */
export const HISTORY_DAYS = 90;

/** The monitors of the demo, by the sections that show them. */
export const SECTIONS = {
  'Core services': ['API', 'Dashboard', 'Authentication', 'Search', 'File storage'],
  Regions: [
    'Europe (Frankfurt)',
    'US East (Virginia)',
    'US West (Oregon)',
    'Asia (Singapore)',
    'Brazil (São Paulo)',
  ],
  Integrations: ['Webhooks', 'Email delivery', 'Payments', 'Single sign-on', 'Audit log export'],
} as const;

export type MonitorName = (typeof SECTIONS)[keyof typeof SECTIONS][number];

export interface PlannedUpdate {
  /** Only of the documented examples. */
  id?: string;
  /** Minutes after the start of the incident. The first update takes effect at the start. */
  after: number;
  status: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  body: string;
  /** What is affected from then on; omitted: as before. */
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

/** Oldest first. The last one is open. */
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
        body: 'The region **Europe (Frankfurt)** does not answer. Other regions work.',
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
      { after: 66, status: 'resolved', body: 'The region works normally. We will publish what we learned.' },
    ],
    postmortem:
      '## What happened\n\nA router failed, and the second one did not take over, because its routes were out of date.\n\n## What we change\n\n- The takeover is tested every week.\n- An alert tells us when routes are older than an hour.',
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

export interface PlannedMaintenance {
  id?: string;
  title: string;
  body: string;
  /** Minutes from now. */
  starts: number;
  minutes: number;
  monitors: MonitorName[];
}

/** Oldest first. The last one is ahead. */
export const MAINTENANCES: PlannedMaintenance[] = [
  {
    title: 'Move to another payment provider',
    body: 'Payments are refused for half an hour.',
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
  },
];
