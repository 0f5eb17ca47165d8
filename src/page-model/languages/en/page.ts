import type { Impact, IncidentStatus } from '../../../incidents/incident-status.js';
import { TEXT_OF_STATUS } from '../../../incidents/update-texts.js';
import type { MaintenanceStatus } from '../../../maintenances/maintenance-status.js';
import type { MonitorStatus } from '../../../monitors/monitor-status.js';
import { HEADLINE_TEXTS } from '../../../summaries/headline.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_EN } from './gate.js';
import { NEW_WORDS } from './new-words.js';
import { SUBSCRIPTION_EN } from './subscription.js';

const percent = percentIn('en');
const counted = countIn('en');
const count = (number: number, one: string, other: string) =>
  counted(number, { one: `# ${one}`, other: `# ${other}` });

const countDays = countDaysIn(', ', {
  problems: (days) => `problems on ${count(days, 'day', 'days')}`,
  maintenance: (days) => `maintenance on ${count(days, 'day', 'days')}`,
});
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * All words of the pages, in English. The API also uses headlines, which are in `summaries/headline.ts`, and texts of updates, in
 * `incidents/update-texts.ts`. `{names}` in a text stands for the names of monitors.
 */
export const EN = {
  ...NEW_WORDS,

  language: 'en',
  /** Direction of the text. */
  direction: 'ltr' as const,
  /** Separates names in a list. */
  comma: ', ',
  /** Between two sentences. */
  space: ' ',
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

  /** Headline of a page by its kind. The API has the English texts. */
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
  percent,
  uptime: (value: number) => `${percent(value)} uptime`,
  /** `uptime`: the text of {@link uptime}. */
  uptime_in: (uptime: string, days: number) => `${uptime} in the last ${count(days, 'day', 'days')}`,
  /** Instead of the uptime, until a day was observed. */
  monitored_since: (day: string) => `Monitored since ${day}`,
  days_ago: (days: number) => count(days, 'day ago', 'days ago'),
  today: 'Today',
  last_days: (days: number) => `Last ${count(days, 'day', 'days')}`,
  /** A status and how long it lasted. `isFirst`: at the beginning of a sentence. */
  status_for: (status: MonitorStatus, duration: string, isFirst: boolean) =>
    `${isFirst ? EN.status[status] : EN.status_in_text[status]} ${duration}`,
  /** Above the table of days that were not always operational: "Problems on 2 days, maintenance on 1 day". */
  day_counts: (problems: number, maintenance: number) =>
    capitalized(countDays(problems, maintenance) || 'days without data'),
  /** Text for screen readers instead of the bars. `uptime`: {@link uptime}, {@link monitored_since}, or no data. */
  bars: (days: number, uptime: string, problems: number, maintenance: number) =>
    uptime === EN.status.unknown
      ? `${EN.last_days(days)}: no data`
      : `${EN.last_days(days)}: ${uptime.charAt(0).toLowerCase()}${uptime.slice(1)}, ${countDays(problems, maintenance, 'no problems')}`,
  not_monitored: 'Not monitored yet',
  days_of: (name: string) => `${name}: days with problems`,
  day: 'Day (UTC)',
  what: 'Status',
  all_day: 'all day',
  every_day: (days: number) => `All ${days} days`,
  total: 'Total',
  share: 'Time',
  response_times: 'Response times',
  median: 'Median',
  p95: '95th percentile',
  status_column: 'Status',
  /** Meaning of the percentages. */
  uptime_counts: 'Uptime: partial outages count 30%, degraded performance and maintenance do not count.',
  always_operational: (days: number) => `No problems in the last ${count(days, 'day', 'days')}.`,

  nothing_in_month: 'No incidents or maintenance this month.',
  months_navigation: 'Months',
  previous: (month: string) => `Earlier: ${month}`,
  next: (month: string) => `Later: ${month}`,

  header_navigation: 'Header links',
  footer_navigation: 'Footer links',
  website: 'Visit website',
  support: 'Contact support',
  subscribe: 'Subscribe',
  languages_navigation: 'Language',
  subscribe_title: 'Subscribe to updates',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'Each update of an incident or of maintenance, in a feed reader or a chat tool.',
  calendar: 'Maintenance calendar',
  calendar_text: 'Maintenance windows in your calendar app.',
  powered_by: 'Powered by Status Pages',
  /** Form and pages of a subscription. */
  subscription: SUBSCRIPTION_EN,
  /** Gate of a private page. */
  gate: GATE_EN,

  start: {
    title: 'Status Pages is running',
    text: 'This is the start page of npm start. In production, set HOME_PAGE to show a status page here.',
    pages: 'Status pages of the demo',
    private: 'Private: visitors get “Page not found” until you set who has access.',
    gated: 'Private: only visitors with access see it.',
    next: 'Next steps',
    console: 'Report an incident in the console',
    sign_in: 'Sign in with the link that npm start has printed.',
    key: 'Create an API key. Run this command in the directory of the service:',
    docs: 'Try the API in its documentation',
    guide: 'For your own page, monitors and reports, follow docs/getting-started.md.',
  },

  not_found: 'Page not found',
  not_found_text:
    'There is no status page at this address, or it is not public. Check the address for typos, or return to the site that linked to it.',
  home: 'Go to the status page',
  unavailable: 'Status temporarily unavailable',
  unavailable_text:
    'We cannot load the current status. The systems themselves may be working normally. Try again in a minute.',
};

/** Words of messages that belong to no page, which are always in English. */
type Messages = 'start' | 'home' | 'not_found' | 'not_found_text' | 'unavailable' | 'unavailable_text';

/** Words of a language. */
export type Words = Omit<typeof EN, 'direction' | Messages> & { direction: 'ltr' | 'rtl' };

/** Words in another language. English words replace those that it does not contain yet. */
export type Translation = Omit<Words, keyof typeof NEW_WORDS> & Partial<typeof NEW_WORDS>;
