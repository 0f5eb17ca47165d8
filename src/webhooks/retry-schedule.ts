import { spread } from '../platform/tasks/spread.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first, second, … failed attempt, in milliseconds. After the last one, the delivery fails. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Each pause is longer or shorter by up to this part, so that many retries do not come at the same time. */
const JITTER = 0.2;

/**
 * Returns the pause before the next attempt in milliseconds, or null after the last attempt.
 * @param attempts number of attempts that have begun, at least 1
 * @param retry_after_ms pause from the header Retry-After, if it is longer than that of the schedule
 */
export function pauseAfter(attempts: number, retry_after_ms: number | null): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  return Math.round(Math.max(spread(pause, JITTER), retry_after_ms ?? 0));
}
