import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import { TEXT_OF_STATUS } from '../../incidents/update-texts.js';
import type { MaintenanceStatus } from '../../maintenances/maintenance-status.js';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { countIn, percentIn } from './numbers.js';

const percent = percentIn('en');
const counted = countIn('en');
const count = (number: number, one: string, other: string) =>
  counted(number, { one: `# ${one}`, other: `# ${other}` });

/**
 * All words of the pages, in English. The API also uses headlines, which are in `summaries/headline.ts`, and texts of updates, in
 * `incidents/update-texts.ts`.
 */
export const EN = {
  language: 'en',
  /** Direction of the text. */
  direction: 'ltr' as const,
  /** Separates names in a list. */
  comma: ', ',
  /** Adds a text after a name. */
  in_parentheses: (text: string) => ` (${text})`,

  status: {
    operational: 'Operational',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
    under_maintenance: 'Under maintenance',
    unknown: 'No data',
  } satisfies Record<MonitorStatus, string>,
  /** The same within a sentence, after a name, and on a badge. */
  status_in_text: {
    operational: 'operational',
    degraded_performance: 'degraded performance',
    partial_outage: 'partial outage',
    major_outage: 'major outage',
    under_maintenance: 'under maintenance',
    unknown: 'no data',
  } satisfies Record<MonitorStatus, string>,
  /** Headline of a page, by its status. */
  headline: {
    operational: 'All systems operational',
    degraded_performance: 'Some systems are degraded',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
    under_maintenance: 'Maintenance in progress',
    unknown: 'Some systems are not reporting',
  } satisfies Record<MonitorStatus, string>,
  open_incident_count: (number: number) => count(number, 'open incident', 'open incidents'),
  no_systems_on_page: 'No systems on this page',
  incident_status: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  } satisfies Record<IncidentStatus, string>,
  /** Text of an update that changes the status and has no text of its own. */
  update_text: TEXT_OF_STATUS satisfies Record<IncidentStatus, string>,
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
  last_updated: 'Last updated',
  reload: 'Reload',
  out_of_date: 'This page may be out of date.',
  overview: 'All systems',
  details: 'Details',

  open_incidents: 'Open incidents',
  planned: 'Maintenance',
  past: 'Past incidents and maintenance',
  nothing_past: 'No incidents or maintenance in the last 14 days.',
  nothing_else_past: 'No other incidents or maintenance in the last 14 days.',
  history: 'History',
  full_history: 'Incident and maintenance history',
  affects: 'Affects',
  affected: 'Affected',
  since: 'Since',
  updates: 'Updates',
  all_updates: (number: number) => `All ${number} updates`,
  postmortem: 'Postmortem',

  not_operational: (number: number, total: number) => `${number} of ${total} not operational`,
  no_systems: 'No systems in this section.',
  uptime: (value: number) => `${percent(value)} uptime`,
  /** Instead of the uptime, until a day was observed. */
  monitored_since: (day: string) => `Monitored since ${day}`,
  days_ago: (days: number) => count(days, 'day ago', 'days ago'),
  today: 'Today',
  last_days: (days: number) => `Last ${count(days, 'day', 'days')}`,
  /** After an uptime. */
  in_last_days: (days: number) => `, last ${count(days, 'day', 'days')}`,
  /** A status and how long it lasted. `isFirst`: at the beginning of a sentence. */
  status_for: (status: MonitorStatus, duration: string, isFirst: boolean) =>
    `${isFirst ? EN.status[status] : EN.status_in_text[status]} ${duration}`,
  with_problems: (days: number) =>
    days === 0 ? 'no issues' : count(days, 'day with issues', 'days with issues'),
  /** Text for screen readers instead of the bars. */
  bars: (days: number, uptime: string, problems: number) =>
    uptime === EN.status.unknown
      ? `${EN.last_days(days)}: no data`
      : `${EN.last_days(days)}: ${uptime.charAt(0).toLowerCase()}${uptime.slice(1)}, ${EN.with_problems(problems)}`,
  days_of: (name: string) => `${name}: days with issues`,
  day: 'Day (UTC)',
  what: 'Status',
  all_day: 'all day',
  every_day: (days: number) => `All ${days} days`,
  total: 'Total',
  share: 'Time',
  status_column: 'Status',
  days_in_utc: 'Days begin and end at midnight UTC.',
  always_operational: (days: number) => `No issues in the last ${count(days, 'day', 'days')}.`,

  nothing_in_month: 'No incidents or maintenance this month.',
  months_navigation: 'Months',
  previous: 'Earlier',
  next: 'Later',
  to: 'to',

  subscribe: 'Subscribe',
  footer_navigation: 'Page links',
  languages_navigation: 'Language',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Maintenance calendar',
  powered_by: 'Powered by Status Pages',

  start: {
    title: 'Status Pages is running',
    text: 'This is the start page of npm start. In production, set HOME_PAGE to show a status page here.',
    page: 'Demo status page',
    docs: 'API documentation',
    key: 'To create an API key, run this command in the directory of the service:',
  },

  not_found: 'Page not found',
  not_found_text: 'There is no status page at this address. Check the address for typos.',
  unavailable: 'Status temporarily unavailable',
  unavailable_text:
    'We cannot load the current status. The systems themselves may be working normally. Try again in a minute.',
};

/** Words of messages that belong to no page, which are always in English. */
type Messages = 'start' | 'not_found' | 'not_found_text' | 'unavailable' | 'unavailable_text';

/** Words of a language. */
export type Words = Omit<typeof EN, 'direction' | Messages> & { direction: 'ltr' | 'rtl' };
