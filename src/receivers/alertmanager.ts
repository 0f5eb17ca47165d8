import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { type FieldError, pointerTo, validationFailed } from '../platform/problems/problem.js';
import type { FieldErrorCode } from '../platform/problems/catalogue.js';
import { inputError, type InputError } from '../platform/validation/fields.js';
import { NOT_A_TIME, parseRfc3339 } from '../platform/validation/rfc3339.js';
import { checkSlug } from '../platform/validation/slug.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { isObject, own } from '../platform/validation/json.js';

/** Maximum number of alerts per delivery. */
export const MAX_ALERTS = 1_000;

/** An alert of a monitor. Times are in milliseconds since 1970. */
export interface Alert {
  monitor_id: string;
  /** Status of the monitor while the alert fires. */
  status: ReportedStatus;
  /** Time at which the alert started to fire; undefined: unknown. */
  starts_at: number | undefined;
  /** Time at which the alert was resolved; undefined: unknown. */
  ends_at: number | undefined;
  is_firing: boolean;
}

/** An alert, and the label that identifies its monitor. */
export interface LabeledAlert {
  alert: Omit<Alert, 'monitor_id'>;
  /** ID or key of the monitor, or the error of the label. */
  monitor: { id: string } | { key: string } | InputError;
  /** Path of the label in the delivery. */
  path: (string | number)[];
}

/** Alerts of a delivery. */
export interface Delivery {
  alerts: LabeledAlert[];
  /** Number of alerts without any of the labels. */
  skipped: number;
}

/** Identification of the monitor and its status in alerts. */
export interface AlertNaming {
  /** Label with the monitor ID. Takes precedence. */
  label: string;
  /** Label with the monitor key. */
  key_label: string;
  /** Status of the monitor, unless the alert has a label `status` with one of {@link REPORTED_STATUSES}. */
  status: ReportedStatus;
}

type Report = (path: (string | number)[], code: FieldErrorCode, detail: string) => undefined;

/**
 * Reads a delivery of Alertmanager's webhook (version 4). Ignores fields that it does not need.
 * @throws Problem 400 `validation_failed`
 */
export function readDelivery(payload: object, naming: AlertNaming): Delivery {
  const errors: FieldError[] = [];
  const report: Report = (path, code, detail) => {
    errors.push({ code, detail, pointer: pointerTo(['alerts', ...path]) });
    return undefined;
  };
  const delivery: Delivery = { alerts: [], skipped: 0 };
  for (const [index, item] of listIn(payload, report).entries()) {
    if (!isObject(item)) {
      report([index], 'invalid_type', 'must be an object');
      continue;
    }
    const labels = labelsOf(item, index, report);
    if (!labels) continue;
    // Prometheus has no empty labels, so they count as missing.
    const label = [naming.label, naming.key_label].find((name) => !isMissing(own(labels, name)));
    if (label === undefined) {
      delivery.skipped += 1;
      continue;
    }
    const path = [index, 'labels', label];
    const value = own(labels, label);
    const read = label === naming.label ? toId : toKey;
    const monitor =
      typeof value === 'string' ? read(value) : report(path, 'invalid_type', 'must be a string');
    const alert = readAlert(item, index, statusOf(labels) ?? naming.status, report);
    if (monitor) delivery.alerts.push({ alert, monitor, path: ['alerts', ...path] });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return delivery;
}

function listIn(payload: object, report: Report): unknown[] {
  const alerts = own(payload, 'alerts');
  if (alerts === undefined) report([], 'required', 'is required');
  else if (!Array.isArray(alerts)) report([], 'invalid_type', 'must be an array of objects');
  else if (alerts.length > MAX_ALERTS) report([], 'too_long', `must have at most ${MAX_ALERTS} items`);
  else return alerts;
  return [];
}

function labelsOf(item: object, index: number, report: Report): object | undefined {
  const labels = own(item, 'labels');
  if (labels === undefined) return report([index, 'labels'], 'required', 'is required');
  return isObject(labels) ? labels : report([index, 'labels'], 'invalid_type', 'must be an object');
}

function readAlert(
  item: object,
  index: number,
  status: ReportedStatus,
  report: Report,
): LabeledAlert['alert'] {
  const textOf = (name: string): string | undefined => {
    const value = own(item, name);
    if (value === undefined)
      return name === 'endsAt' ? undefined : report([index, name], 'required', 'is required');
    return typeof value === 'string' ? value : report([index, name], 'invalid_type', 'must be a string');
  };
  const timeOf = (name: string): number | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    const time = parseRfc3339(text);
    if (!time) return report([index, name], 'invalid_format', NOT_A_TIME);
    return time.getTime() < 0 ? undefined : time.getTime(); // 0001-01-01T00:00:00Z means no time
  };
  const state = textOf('status');
  if (state !== undefined && state !== 'firing' && state !== 'resolved')
    report([index, 'status'], 'invalid_format', 'must be one of firing, resolved');
  return {
    status,
    is_firing: state === 'firing',
    starts_at: timeOf('startsAt'),
    ends_at: timeOf('endsAt'),
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === '';
}

function toId(value: string): LabeledAlert['monitor'] {
  return UUID_PATTERN.test(value)
    ? { id: value.toLowerCase() }
    : inputError('invalid_format', 'must be the ID of a monitor');
}

function toKey(value: string): LabeledAlert['monitor'] {
  return checkSlug(value).length === 0
    ? { key: value }
    : inputError('invalid_format', 'must be the key of a monitor');
}

/** Returns the status in the label `status`, or undefined, because other software uses the label for other values. */
function statusOf(labels: object): ReportedStatus | undefined {
  const value = own(labels, 'status');
  return REPORTED_STATUSES.find((status) => status === value);
}
