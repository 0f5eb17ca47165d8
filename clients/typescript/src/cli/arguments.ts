import { InvalidArgumentError } from 'commander';

export const REPORTED_STATUSES = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;

export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const IMPACTS = ['none', 'minor', 'major', 'critical'] as const;

export type Impact = (typeof IMPACTS)[number];

/** A monitor, as a key or an ID, and its status. */
export interface MonitorWithStatus {
  monitor: string;
  status: ReportedStatus;
}

/** A section of a status page: `Core=api,web`. */
export interface SectionArgument {
  title: string;
  monitors: string[];
}

/** Value of an option that removes the present value. */
export const NONE = 'none';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Returns whether a text is an ID. IDs take precedence over keys and slugs. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns whether a text can be the key of a monitor or the slug of a status page. */
export function isSlug(text: string): boolean {
  return text.length <= 63 && SLUG.test(text);
}

/** Returns a parser that accepts one of several words. */
export function wordOf<Word extends string>(words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((one) => one === value);
    if (!word) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return word;
  };
}

/** Collects the values of a repeatable option or argument. */
export function collect<T>(parse: (value: string) => T): (value: string, previous: T[] | undefined) => T[] {
  return (value, previous = []) => [...previous, parse(value)];
}

/** Parses `api=major_outage`. */
export function parseMonitorWithStatus(value: string): MonitorWithStatus {
  const [monitor = '', status = ''] = value.split(/=(.*)/s);
  if (monitor === '') throw new InvalidArgumentError('It must be a key or ID, "=" and a status.');
  const known = REPORTED_STATUSES.find((one) => one === status);
  if (!known)
    throw new InvalidArgumentError(`The status, after "=", must be one of ${REPORTED_STATUSES.join(', ')}.`);
  return { monitor, status: known };
}

/** Parses `Core=api,web`. The title is the text before the last "=". */
export function parseSection(value: string): SectionArgument {
  const [, title, monitors] = /^(.+)=([^=]*)$/s.exec(value) ?? [];
  if (title === undefined || monitors === undefined)
    throw new InvalidArgumentError('It must be a title, "=" and the keys or IDs of monitors, joined by ",".');
  const names = monitors.split(',').map((name) => name.trim());
  return { title, monitors: names.filter((name) => name !== '') };
}

const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses a time with an offset, or `now`. Returns it in RFC 3339. The service checks the range of each number. */
export function parseTime(value: string): string {
  if (value === 'now') return new Date().toISOString();
  const [, day, minutes, seconds = ':00', offset] = TIME.exec(value) ?? [];
  if (day === undefined || minutes === undefined || offset === undefined)
    throw new InvalidArgumentError(
      'It must be "now", or a time with an offset, such as 2026-11-20T02:00Z or 2026-11-20T03:00+01:00.',
    );
  return `${day}T${minutes}${seconds}${offset.toUpperCase()}`;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** The service keeps reports of 400 days. */
const MAX_AGE_MS = 400 * 86_400_000;

/** Parses a time, or a day, which stands for its midnight in UTC. Returns it in RFC 3339. */
export function parseDayOrTime(value: string): string {
  return DAY.test(value) ? `${value}T00:00:00Z` : parseTime(value);
}

/** Parses a time in the last 400 days, or a day, which stands for its midnight in UTC. Returns it in RFC 3339. */
export function parseSince(value: string): string {
  const time = parseDayOrTime(value);
  const age = Date.now() - Date.parse(time);
  if (!(age >= 0 && age <= MAX_AGE_MS))
    throw new InvalidArgumentError('It must be a day or a time in the last 400 days.');
  return time;
}

const DURATION = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?$/;

/** Parses a duration such as `2h`, `90m` or `1d12h`. Returns milliseconds. */
export function parseDuration(value: string): number {
  const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(value) ?? [];
  const ms = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000;
  if (ms === 0) throw new InvalidArgumentError('It must be a duration such as 2h, 90m or 1d12h.');
  return ms;
}

/** Parses a value of the header `Idempotency-Key`. */
export function parseIdempotencyKey(value: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(value))
    throw new InvalidArgumentError('It must have 1 to 255 printable ASCII characters.');
  return value;
}

/** Returns a parser of decimal integers from `min` to `max`. */
export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    return number;
  };
}
