import { validationFailed } from '../../platform/problems/problem.js';
import type { DayRange } from './days.repository.js';

const DAY_MS = 86_400_000;

/** Maximum number of days in a range. */
export const MAX_DAYS = 400;

const DEFAULT_DAYS = 90;

/** Returns the day of a time, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Returns the first time of a day. */
export function midnightOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** Returns the day that is `count` days later, or earlier if `count` is negative. */
export function dayAfter(day: string, count: number): string {
  return dayOf(new Date(midnightOf(day).getTime() + count * DAY_MS));
}

/** Returns the number of days from `from` to `to`, both included. */
export function daysBetween(from: string, to: string): number {
  return (midnightOf(to).getTime() - midnightOf(from).getTime()) / DAY_MS + 1;
}

/**
 * Returns the range of a query. By default, it ends today and has 90 days.
 * @throws Problem 400 `validation_failed` with `out_of_range` for a range that is in the future, is empty, or has more than
 * {@link MAX_DAYS} days
 */
export function resolveRange({ from, to }: Partial<DayRange>, now: Date): DayRange {
  const today = dayOf(now);
  const last = to ?? today;
  const first = from ?? dayAfter(last, 1 - DEFAULT_DAYS);
  if (last > today) throw outOfRange('to', `must not be after today (${today} in UTC)`);
  if (first > last) throw outOfRange('from', 'must not be after `to`');
  if (daysBetween(first, last) > MAX_DAYS)
    throw outOfRange('from', `must be at most ${MAX_DAYS - 1} days before \`to\``);
  return { from: first, to: last };
}

function outOfRange(parameter: string, detail: string) {
  return validationFailed([{ code: 'out_of_range', detail, parameter }]);
}
