import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { fault } from './field.js';
import { type FieldOptions, Time } from './fields.js';

const EARLIEST = new Date('2000-01-01T00:00:00.000Z');

/** Maximum time ahead of the server's clock, in milliseconds. Allowed because clocks differ. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** A time from the year 2000 to five minutes in the future. */
export const PastTime = (options: FieldOptions) =>
  applyDecorators(
    Time(options),
    ValidateBy(
      { name: 'isPastTime', validator: { validate: isPast } },
      fault('out_of_range', 'must be in the year 2000 or later, and at most 5 minutes in the future'),
    ),
  );

// Returns true for other types, which `Time` rejects.
function isPast(value: unknown): boolean {
  return !(value instanceof Date) || isPastTime(value);
}

/** Returns whether a time is between the year 2000 and five minutes in the future. */
export function isPastTime(time: Date): boolean {
  return time >= EARLIEST && time.getTime() <= Date.now() + MAX_AHEAD_MS;
}
