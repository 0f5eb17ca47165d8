import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { fault } from '../../platform/validation/field.js';
import { type FieldOptions, Time } from '../../platform/validation/fields.js';

const EARLIEST = new Date('2000-01-01T00:00:00.000Z');

/** Clocks differ: how far a time can be ahead of the clock of the server, in milliseconds. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** A time from the year 2000 to five minutes ahead. */
export const PastTime = (options: FieldOptions) =>
  applyDecorators(
    Time(options),
    ValidateBy(
      { name: 'isPastTime', validator: { validate: isPast } },
      fault('out_of_range', 'must be in the year 2000 or later, and at most 5 minutes in the future'),
    ),
  );

// `Time` rejects other values.
function isPast(value: unknown): boolean {
  return !(value instanceof Date) || isPastTime(value);
}

/** Whether a time is from the year 2000 to five minutes ahead. */
export function isPastTime(time: Date): boolean {
  return time >= EARLIEST && time.getTime() <= Date.now() + MAX_AHEAD_MS;
}
