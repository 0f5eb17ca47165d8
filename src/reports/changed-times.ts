const DAY_MS = 86_400_000;

/**
 * Maximum number of changed days that are deleted. If more days change, all days from the first on become invalid, which updates
 * one row instead of many.
 */
const MAX_DELETED_DAYS = 31;

/** A changed time range; `to` null: until now. */
export interface ChangedTimes {
  from: Date;
  to: Date | null;
  /** Whether the history of a monitor that was created after `from` can begin at another time now. Default: false. */
  movesStart?: boolean;
}

/** Returns whether the computed days in this range are deleted. */
export function isShort({ from, to }: ChangedTimes): boolean {
  return to !== null && to.getTime() - from.getTime() <= MAX_DELETED_DAYS * DAY_MS;
}

/**
 * Returns the midnight in UTC from which on all computed days are invalid. Returns null if the days are deleted or unchanged.
 */
export function closedBefore(times: ChangedTimes | null | undefined): Date | null {
  if (!times || isShort(times)) return null;
  return midnightBefore(times.from);
}

/** Returns the midnight in UTC at or before a time after 1970. */
export function midnightBefore(time: Date): Date {
  const ms = time.getTime();
  return new Date(ms - (ms % DAY_MS));
}
