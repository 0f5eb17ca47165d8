import type { CheckedColumns, LockedClaim } from './claims.repository.js';
import { spread } from '../platform/tasks/spread.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time for which a verified domain is served without its record. */
export const GRACE_SECONDS = 7 * DAY;

/** Time until the next check of a verified domain: usually, while its record is missing, and after DNS has failed. */
const VERIFIED_SECONDS = DAY;
const MISSING_SECONDS = HOUR;
const FAILED_SECONDS = 10 * MINUTE;

/** Time until the next check of a claim whose result is outdated. */
const OUTDATED_SECONDS = 10;

/** Part of a claim's age that passes until its next check, so that a new claim is verified soon after its record is set. */
const AGE_PART = 0.1;

/** Largest change of a time, so that claims of the same time are checked at different times later. */
const JITTER = 0.1;

/** Records of a claim in DNS. */
export interface DnsResult {
  /** Values of the record's name; null: DNS has failed. */
  values: string[] | null;
  /** Why DNS has failed. */
  error: string | null;
  /** Whether the record of the claim is among them. */
  isProven: boolean;
  /** Whether the record of the page that holds the domain is among them. */
  isHeld: boolean;
  /** Whether another page has proved the domain since the check began, perhaps with a record that has replaced the one of the claim. */
  isOutdated: boolean;
}

/** The part of a claim that a check changes. */
export type NextState = Pick<CheckedColumns, 'status' | 'verified_at' | 'missing_since' | 'next_in'>;

/**
 * Returns the state of a claim after a check. A failure of DNS never changes the status.
 * @param now when the check began
 */
export function stateAfter(claim: LockedClaim, result: DnsResult, now: Date): NextState {
  const { status, verified_at, missing_since } = claim;
  const unchanged = { status, verified_at, missing_since };
  if (result.values === null)
    return {
      ...unchanged,
      next_in: spread(status === 'verified' ? FAILED_SECONDS : byAge(claim, now), JITTER),
    };
  if (result.isOutdated) return { ...unchanged, next_in: spread(OUTDATED_SECONDS, JITTER) };
  if (result.isProven && !result.isHeld) {
    const since = status === 'verified' ? verified_at : now;
    return {
      status: 'verified',
      verified_at: since,
      missing_since: null,
      next_in: spread(VERIFIED_SECONDS, JITTER),
    };
  }
  if (status !== 'verified') return { ...unchanged, next_in: spread(byAge(claim, now), JITTER) };
  const since = missing_since ?? now;
  const isOver = secondsBetween(since, now) >= GRACE_SECONDS;
  return {
    status: isOver ? 'lost' : 'verified',
    verified_at,
    missing_since: since,
    next_in: spread(isOver ? DAY : MISSING_SECONDS, JITTER),
  };
}

/** Returns a tenth of a claim's age, at least a minute and at most a day. */
function byAge({ claimed_at }: LockedClaim, now: Date): number {
  return Math.min(Math.max(secondsBetween(claimed_at, now) * AGE_PART, MINUTE), DAY);
}

function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1_000;
}
