import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import type { MaintenanceStatus } from '../../maintenances/maintenance-status.js';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { HEADLINE_TEXTS } from '../../summaries/headline.js';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** Returns the days with problems and with maintenance, or an empty text. */
const countsOfDays = (problems: number, maintenance: number) =>
  [
    ...(problems === 0 ? [] : [`problems on ${count(problems, 'day', 'days')}`]),
    ...(maintenance === 0 ? [] : [`maintenance on ${count(maintenance, 'day', 'days')}`]),
  ].join(', ');

/**
 * All words of the pages, in English. The API also uses headlines, which are in `summaries/headline.ts`, and texts of updates, in
 * `incidents/update-texts.ts`. `{names}` in a text stands for the names of monitors.
 */
export const EN = {
  language: 'en',

  status: {
    operational: 'Operational',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
    under_maintenance: 'Under maintenance',
    unknown: 'No data',
  } satisfies Record<MonitorStatus, string>,
  incident_status: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  } satisfies Record<IncidentStatus, string>,
  impact: {
    minor: 'Minor impact',
    major: 'Major impact',
    critical: 'Critical impact',
  } satisfies Record<Exclude<Impact, 'none'>, string>,
  maintenance_status: {
    scheduled: 'Scheduled',
    in_progress: 'In progress',
    completed: 'Completed',
    cancelled: 'Cancelled',
  } satisfies Record<MaintenanceStatus, string>,

  headline: HEADLINE_TEXTS,
  /** Sentences below the headline: "API, Web, and 2 others degraded." */
  wrong: {
    major_outage: '{names} down.',
    partial_outage: '{names} partially down.',
    degraded_performance: '{names} degraded.',
    unknown: '{names} not reporting.',
    under_maintenance: '{names} under maintenance.',
  } satisfies Record<Exclude<MonitorStatus, 'operational'>, string>,
  /** The last of the names. */
  others: (number: number) => count(number, 'other', 'others'),
  /** Instead of names. */
  systems: (number: number) => count(number, 'system', 'systems'),
  others_operational: (number: number) => `${count(number, 'other', 'others')} operational.`,
  all_operational: 'All systems operational.',
  no_monitors_text:
    'This page does not list any systems yet. Incidents and maintenance are still announced here.',

  feed: {
    title: (page: string) => `${page} status`,
    calendar: (page: string) => `${page} maintenance`,
    update: (status: string, incident: string) => `${status}: ${incident}`,
    maintenance: (title: string) => `Maintenance: ${title}`,
    maintenance_update: (title: string) => `Maintenance update: ${title}`,
    updated_at: (time: string) => `Update of ${time}:`,
    cancelled: (title: string) => `Cancelled: ${title}`,
    affected: (names: string) => `Affected: ${names}`,
    planned: 'Planned:',
    called_off: 'This maintenance has been cancelled.',
  },

  title: (name: string, text: string) => `${text} · ${name}`,
  unnamed: 'Unnamed',
  skip: 'Skip to content',
  last_updated: (time: string) => `Last updated ${time}`,
  reload: 'Reload',
  out_of_date: 'This page may be out of date.',
  overview: 'All systems',
  details: 'Details',

  open_incidents: 'Open incidents',
  maintenance_now: 'Maintenance in progress',
  planned: 'Upcoming maintenance',
  past: 'Past incidents and maintenance',
  nothing_past: 'No incidents or maintenance in the last 14 days.',
  nothing_else_past: 'No other incidents or maintenance in the last 14 days.',
  history: 'History',
  full_history: 'Incident and maintenance history',
  /** Days without incidents, in a list of past days. */
  no_incidents_on: (days: string) => `${days}: no incidents reported`,
  /** Below the heading of a list of days: the time zone in which they begin and end. */
  days_in_zone: (zone: string) => `Days in ${zone}`,
  /** Link after the newest updates of a past incident. */
  more_updates: 'All updates',
  affects: 'Affects',
  affected: 'Affected',
  since: (time: string) => `Since ${time}`,
  updates: 'Updates',
  earlier_updates: (number: number) => count(number, 'earlier update', 'earlier updates'),
  all_updates: (number: number) => `All ${number} updates`,
  postmortem: 'Postmortem',

  not_operational: (number: number, total: number) => `${number} of ${total} not operational`,
  no_systems: 'No systems in this section.',
  /** Two decimals, because 99.999 is rounded down to 99.99. 100 has no decimals. */
  percent: (percent: number) => `${percent === 100 ? '100' : percent.toFixed(2)}%`,
  uptime: (percent: number) => `${EN.percent(percent)} uptime`,
  uptime_in: (uptime: string, days: number) => `${uptime} in the last ${count(days, 'day', 'days')}`,
  /** Instead of the uptime, until a day was observed. */
  monitored_since: (day: string) => `Monitored since ${day}`,
  days_ago: (days: number) => count(days, 'day ago', 'days ago'),
  today: 'Today',
  last_days: (days: number) => `Last ${count(days, 'day', 'days')}`,
  /** Above the table of days that were not always operational: "Problems on 2 days, maintenance on 1 day". */
  day_counts: (problems: number, maintenance: number) => {
    const text = countsOfDays(problems, maintenance);
    return text === '' ? 'Days without data' : text.charAt(0).toUpperCase() + text.slice(1);
  },
  /** Text for screen readers instead of the bars. */
  bars: (days: number, uptime: string, problems: number, maintenance: number) =>
    uptime === EN.status.unknown
      ? `${EN.last_days(days)}: no data`
      : `${EN.last_days(days)}: ${uptime.charAt(0).toLowerCase()}${uptime.slice(1)}, ${problems === 0 ? 'no problems' : ''}${problems === 0 && maintenance > 0 ? ', ' : ''}${countsOfDays(problems, maintenance)}`,
  not_monitored: 'Not monitored yet',
  days_of: (name: string) => `${name}: days with problems`,
  day: 'Day (UTC)',
  what: 'Status',
  all_day: 'all day',
  every_day: (days: number) => `All ${days} days`,
  total: 'Total',
  share: 'Time',
  status_column: 'Status',
  days_in_utc: 'Days begin and end at midnight UTC.',
  always_operational: (days: number) => `No problems in the last ${count(days, 'day', 'days')}.`,

  nothing_in_month: 'No incidents or maintenance this month.',
  months_navigation: 'Months',
  previous: 'Earlier',
  next: 'Later',
  to: 'to',

  header_navigation: 'Header links',
  footer_navigation: 'Footer links',
  website: 'Visit website',
  support: 'Contact support',
  subscribe: 'Subscribe',
  subscribe_title: 'Subscribe to updates',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'Each update of an incident or of maintenance, in a feed reader or a chat tool.',
  calendar: 'Maintenance calendar',
  calendar_text: 'Maintenance windows in your calendar app.',
  powered_by: 'Powered by Status Pages',

  start: {
    title: 'Status Pages is running',
    text: 'This is the start page of npm start. In production, set HOME_PAGE to show a status page here.',
    page: 'Demo status page',
    docs: 'API documentation',
    key: 'To create an API key, run this command in the directory of the service:',
  },

  not_found: 'Page not found',
  not_found_text:
    'There is no status page at this address, or it is not public. Check the address for typos, or return to the site that linked to it.',
  home: 'Go to the status page',
  unavailable: 'Status temporarily unavailable',
  unavailable_text:
    'We cannot load the current status. The systems themselves may be working normally. Try again in a minute.',
};

/** Words of a language. */
export type Words = typeof EN;
