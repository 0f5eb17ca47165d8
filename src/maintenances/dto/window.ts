import { applyDecorators } from '@nestjs/common';
import { After, type FieldOptions, Time, TimeRule } from '../../platform/validation/fields.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Maximum length of a window, in milliseconds. */
export const MAX_WINDOW_MS = 30 * DAY_MS;
const isShort = (starts_at: Date, ends_at: Date) => ends_at.getTime() - starts_at.getTime() <= MAX_WINDOW_MS;
const TOO_LONG = 'must be at most 30 days after starts_at';

const EARLIEST = '2000-01-01T00:00:00.000Z';
const MAX_DAYS_AHEAD = 400;

/** Start of a window: from 2000 to 400 days in the future. */
export const StartsAt = (options: FieldOptions): PropertyDecorator =>
  applyDecorators(
    Time(options),
    TimeRule('isStart', `must be from ${EARLIEST} to ${MAX_DAYS_AHEAD} days in the future`, isWindowStart),
  );

/** Returns whether a window can start at a time: from 2000 to 400 days in the future. */
export function isWindowStart(time: Date): boolean {
  return time >= new Date(EARLIEST) && time.getTime() <= Date.now() + MAX_DAYS_AHEAD * DAY_MS;
}

/** End of a window: after `starts_at`, at most 30 days later. Checked only if a body contains both fields. */
export const EndsAt = (options: FieldOptions): PropertyDecorator =>
  applyDecorators(
    Time(options),
    After('starts_at'),
    TimeRule('isWithin30Days', TOO_LONG, (time, object) => {
      const starts_at: unknown = Reflect.get(object, 'starts_at');
      return !(starts_at instanceof Date) || isShort(starts_at, time);
    }),
  );

/** Checks the window after an update of one of its fields. Returns an error for that field, or undefined. */
export function windowFault(
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
  field: 'starts_at' | 'ends_at',
): string | undefined {
  const isStart = field === 'starts_at';
  if (ends_at <= starts_at) return isStart ? 'must be before ends_at' : 'must be after starts_at';
  if (isShort(starts_at, ends_at)) return undefined;
  return isStart ? 'must be at most 30 days before ends_at' : TOO_LONG;
}
