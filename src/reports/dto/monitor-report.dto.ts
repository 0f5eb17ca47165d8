import { Transform } from 'class-transformer';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';
import { MAX_TIME_LENGTH, NOT_A_TIME, parseRfc3339 } from '../../platform/validation/rfc3339.js';
import { checkSlug, SLUG_SCHEMA } from '../../platform/validation/slug.js';
import { UUID_PATTERN, UUID_SCHEMA } from '../../platform/validation/uuid.js';
import type { Report, ReportByKey } from '../reports.service.js';
import { MAX_RESPONSE_MS } from '../response-times/response-bins.js';

/** Maximum number of reports per request. */
export const MAX_REPORTS = 1_000;

const MAX_AHEAD_MS = 5 * 60_000;
/** Maximum age of a report in milliseconds. */
export const MAX_AGE_MS = 400 * 86_400_000;

/**
 * A report: the status of a monitor at a point in time. Used only for documentation; {@link MonitorReports} validates reports.
 */
@ApiSchema({ name: 'MonitorReport' })
export class MonitorReportDto {
  @ApiProperty({
    ...UUID_SCHEMA,
    required: false,
    description: 'ID of a monitor in the project. Each report requires either `monitor_id` or `monitor_key`.',
    example: EXAMPLE_IDS.monitor,
  })
  monitor_id?: string;

  @ApiProperty({
    ...SLUG_SCHEMA,
    required: false,
    description: 'Key of a monitor in the project, instead of `monitor_id`.',
  })
  monitor_key?: string;

  @ApiProperty({
    type: 'string',
    enum: [...REPORTED_STATUSES],
    description: 'Status of the monitor at `observed_at`.',
    example: 'operational',
  })
  status!: ReportedStatus;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: MAX_TIME_LENGTH,
    required: false,
    description:
      'Observation time, from 400 days in the past to 5 minutes in the future. Default: now. A second report for the same monitor and time replaces the first.',
  })
  observed_at?: Date;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_RESPONSE_MS,
    required: false,
    description:
      'Response time in milliseconds. Counts for the response times of the monitor, even if a second report replaces this one.',
    example: 120,
  })
  response_ms?: number;
}

/**
 * A list of 1 to {@link MAX_REPORTS} reports. The DTO contains them with `observed_at`. Validated in one pass of our own code
 * in 1 ms, because class-validator takes 10 ms for 1,000 items, as long as the rest of the request.
 */
export const MonitorReports = (options: FieldOptions) =>
  applyDecorators(
    Transform(({ obj, key }: { obj: object; key: string }) => {
      const value: unknown = Reflect.get(obj, key);
      return readReports(value).reports ?? value;
    }),
    Field((value) => readReports(value).errors, options, {
      type: () => MonitorReportDto,
      isArray: true,
      minItems: 1,
      maxItems: MAX_REPORTS,
    }),
  );

/** Reports of a request body; undefined if the list is invalid. */
interface ReadReports {
  errors: InputError[];
  reports?: (Report | ReportByKey)[];
}

/** Results by list, because a field is checked before and after its conversion. */
const results = new WeakMap<object, ReadReports>();

function readReports(value: unknown): ReadReports {
  if (!Array.isArray(value)) return { errors: [inputError('invalid_type', 'must be an array of objects')] };
  const known = results.get(value);
  if (known) return known;
  const read = readList(value);
  results.set(value, read);
  value.length = 0; // class-transformer would copy each item, which takes longer than reading them
  if (read.reports) results.set(read.reports, read);
  return read;
}

function readList(list: unknown[]): ReadReports {
  if (list.length === 0) return { errors: [inputError('too_short', 'must have at least 1 item')] };
  if (list.length > MAX_REPORTS)
    return { errors: [inputError('too_long', `must have at most ${MAX_REPORTS} items`)] };
  const now = new Date();
  const errors: InputError[] = [];
  const reports = list.flatMap((item, index) => {
    const report = readReport(item, now, ({ path, ...one }) =>
      errors.push({ path: [index, ...path], ...one }),
    );
    return report ?? [];
  });
  return errors.length > 0 ? { errors } : { errors, reports };
}

const FIELDS: ReadonlySet<string> = new Set([
  'monitor_id',
  'monitor_key',
  'status',
  'observed_at',
  'response_ms',
]);

/** Reads a report. Calls `refuse` for each error. */
function readReport(
  item: unknown,
  now: Date,
  refuse: (error: InputError) => void,
): Report | ReportByKey | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    refuse(inputError('invalid_type', 'must be an object'));
    return undefined;
  }
  for (const name of Object.keys(item))
    if (!FIELDS.has(name))
      refuse({ ...inputError('unknown_field', 'is not a field of a report'), path: [name] });
  const {
    monitor_id,
    monitor_key,
    status,
    observed_at,
    response_ms,
  }: Partial<Record<keyof Report, unknown>> = item;
  const read = <Value>(name: keyof Report, value: unknown, rule: (text: string) => Value | InputError) => {
    const result =
      value === undefined
        ? inputError(
            'required',
            name === 'monitor_id' ? 'is required unless monitor_key is sent' : 'is required',
          )
        : typeof value === 'string'
          ? rule(value)
          : inputError('invalid_type', 'must be a string');
    if (!isIssue(result)) return result;
    refuse({ ...result, path: [name] });
    return undefined;
  };
  const isByKey = monitor_id === undefined && monitor_key !== undefined;
  const monitor = isByKey ? read('monitor_key', monitor_key, toKey) : read('monitor_id', monitor_id, toUuid);
  const isTwice = monitor_id !== undefined && monitor_key !== undefined;
  if (isTwice)
    refuse({
      ...inputError('duplicate', 'must not be sent together with monitor_id'),
      path: ['monitor_key'],
    });
  const known = read('status', status, toStatus);
  const time =
    observed_at === undefined
      ? now
      : read('observed_at', observed_at, (text) => parseObservedAt(text, now.getTime()));
  const wrong = checkResponseTime(response_ms);
  if (wrong) refuse({ ...wrong, path: ['response_ms'] });
  if (monitor === undefined || isTwice || known === undefined || time === undefined) return undefined;
  const report = {
    status: known,
    observed_at: time,
    ...(typeof response_ms === 'number' && { response_ms }),
  };
  return isByKey ? { monitor_key: monitor, ...report } : { monitor_id: monitor, ...report };
}

/** Returns whether a parser has returned an error instead of a value. */
export function isIssue(value: unknown): value is InputError {
  return typeof value === 'object' && value !== null && 'code' in value;
}

function toUuid(text: string): string | InputError {
  return UUID_PATTERN.test(text) ? text.toLowerCase() : inputError('invalid_format', 'must be a UUID');
}

function toKey(text: string): string | InputError {
  return checkSlug(text)[0] ?? text;
}

function toStatus(text: string): ReportedStatus | InputError {
  const status = REPORTED_STATUSES.find((one) => one === text);
  return status ?? inputError('invalid_format', `must be one of ${REPORTED_STATUSES.join(', ')}`);
}

/** Returns an error unless a response time is undefined, or an integer from 0 to {@link MAX_RESPONSE_MS}. */
function checkResponseTime(value: unknown): InputError | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value))
    return inputError('invalid_type', 'must be an integer');
  return value < 0 || value > MAX_RESPONSE_MS
    ? inputError('out_of_range', `must be from 0 to ${MAX_RESPONSE_MS}`)
    : undefined;
}

/** Parses the time of a report. Returns an error if it is invalid. */
export function parseObservedAt(text: string, now = Date.now()): Date | InputError {
  const time = parseRfc3339(text);
  if (!time) return inputError('invalid_format', NOT_A_TIME);
  if (time.getTime() > now + MAX_AHEAD_MS)
    return inputError('out_of_range', 'must be at most 5 minutes in the future');
  return time.getTime() < now - MAX_AGE_MS
    ? inputError('out_of_range', 'must be at most 400 days in the past')
    : time;
}
