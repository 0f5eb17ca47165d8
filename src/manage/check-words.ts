import type { Check } from '../checks/check.entity.js';
import type { CheckType } from '../checks/probes/target.js';

const TYPE: Record<CheckType, string> = {
  http: 'Web page or API',
  tcp: 'Port of a server',
  dns: 'DNS record',
  tls: 'Certificate',
};

const TARGET_HINT: Record<CheckType, string> = {
  http: 'Its address: https://www.acme.example/',
  tcp: 'Host and port: db.acme.example:5432',
  dns: 'A name: acme.example',
  tls: 'Host and port: www.acme.example:443',
};

const STATUS: Record<Check['status_on_failure'], string> = {
  degraded_performance: 'Degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
};

/** Intervals to choose from, by their seconds. */
const INTERVAL: Record<string, string> = {
  '30': '30 seconds',
  '60': '1 minute',
  '300': '5 minutes',
  '900': '15 minutes',
  '3600': '1 hour',
  '86400': '1 day',
};

/** Words of a check's screen. */
export const CHECK_WORDS = {
  title: 'Check',
  title_of: (name: string) => `Check · ${name}`,
  intro: 'The service can watch a system by itself, and set the status of the monitor.',
  choose: 'What does it watch?',
  types: TYPE,
  none: 'There is no check. The status comes from your own reports and from incidents.',
  add: 'Add a check',
  open: 'Check',
  target: 'Target',
  target_hint: TARGET_HINT,
  interval: 'Runs every',
  intervals: INTERVAL,
  seconds: (number: string) => `${number} seconds`,
  body_contains: 'Text in the response',
  body_contains_hint: 'The check fails if the response does not contain it. Empty: any response.',
  expected_status: 'Expected status codes',
  expected_status_hint: 'Such as 200-399 or 200,401.',
  record_type: 'Record type',
  expected: 'Expected value',
  expected_hint: 'One of the records must have it. Empty: any record.',
  days: 'Days before the end',
  days_hint: 'The check fails this number of days before the certificate ends.',
  failures: 'Failures in a row',
  failures_hint: 'The status changes after so many failures. One lost packet is not an outage.',
  status: 'Status while it fails',
  statuses: STATUS,
  enabled: 'The check runs',
  headers: (names: readonly string[]) => `Headers, which the API sets: ${names.join(', ')}`,
  run: 'Run now',
  run_hint: 'It changes nothing.',
  now: (result: string) => `Just now: ${result}`,
  works: (ms: number) => `It works. ${ms.toLocaleString('en')} ms.`,
  fails: (error: string) => `It fails: ${error}.`,
  last: (time: string) => `Last run ${time}:`,
  never: 'It has not run yet.',
  paused: 'It is switched off.',
  next: 'It runs within seconds.',
  delete_title: 'Delete the check?',
  delete_text:
    'The monitor stays, with its history. Without other reports, its status becomes unknown after a while.',
} as const;
