import type { CheckDto } from '../../checks/dto/check.dto.js';
import type { UpdateCheckDto } from '../../checks/dto/update-check.dto.js';
import { CHECK_TYPES, type CheckType } from '../../checks/probes/target.js';
import type { Labels } from '../errors-of-fields.js';
import { WORDS } from '../words.js';

const { check: words } = WORDS;

/** Labels of a check's fields. */
export const CHECK_LABELS: Labels = {
  type: words.choose,
  target: words.target,
  interval_seconds: words.interval,
  body_contains: words.body_contains,
  expected_status: words.expected_status,
  record_type: words.record_type,
  expected: words.expected,
  days_before_expiry: words.days,
  failures: words.failures,
  status_on_failure: words.status,
};

const NUMBERS = ['interval_seconds', 'failures', 'days_before_expiry'] as const;

/** Fields for all types, and those for one. */
const COMMON = ['target', 'interval_seconds', 'failures', 'status_on_failure'] as const;
const FIELDS: Record<CheckType, readonly (keyof UpdateCheckDto & string)[]> = {
  http: [...COMMON, 'body_contains', 'expected_status'],
  tcp: COMMON,
  dns: [...COMMON, 'record_type', 'expected'],
  tls: [...COMMON, 'days_before_expiry'],
};

/** Fields that are null without a text. */
const NULLABLE = new Set(['body_contains', 'expected']);

/** Values in the form of a check, as entered. */
export interface CheckValues {
  type: CheckType;
  enabled: boolean;
  fields: Record<string, string>;
}

/** Returns the values of an unchanged form. */
export function valuesOf(check: CheckDto): CheckValues {
  const { type, enabled } = check;
  return {
    type,
    enabled,
    fields: Object.fromEntries(FIELDS[type].map((name) => [name, String(Reflect.get(check, name) ?? '')])),
  };
}

/** Returns the values of a new check. */
export function newValues(type: CheckType): CheckValues {
  const interval_seconds = type === 'tls' ? '3600' : '60';
  const fields = {
    interval_seconds,
    failures: '2',
    status_on_failure: 'major_outage',
    expected_status: '200-399',
    record_type: 'A',
    days_before_expiry: '14',
  };
  return { type, enabled: true, fields };
}

/** Returns the type of a sent form or a query, or undefined if it is another word. */
export function typeIn(values: URLSearchParams): CheckType | undefined {
  return CHECK_TYPES.find((type) => type === values.get('type'));
}

/** Returns the values of a sent form. */
export function checkIn(sent: URLSearchParams, type: CheckType): CheckValues {
  const fields = Object.fromEntries(FIELDS[type].map((name) => [name, (sent.get(name) ?? '').trim()]));
  return { type, enabled: sent.get('enabled') === 'on', fields };
}

/** Returns the body of the API. An invalid number stays as it is, so that the validation rejects it. */
export function toPatch({ enabled, fields }: CheckValues): object {
  const numbers: readonly string[] = NUMBERS;
  const values = Object.entries(fields).map(([name, text]) => {
    if (NULLABLE.has(name)) return [name, text === '' ? null : text];
    return [name, numbers.includes(name) && /^\d{1,9}$/.test(text) ? Number(text) : text];
  });
  return { ...Object.fromEntries(values), enabled };
}
