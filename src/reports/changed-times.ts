const DAY_MS = 86_400_000;

/** Up to so many days, those that change are deleted; with more, all later ones are invalid: one row changes, not many. */
const MAX_DELETED_DAYS = 31;

/** A part of the past that changes: until `to`; null: until now. */
export interface ChangedTimes {
  from: Date;
  to: Date | null;
}

/** Whether the computed days of these times are deleted. */
export function isShort({ from, to }: ChangedTimes): boolean {
  return to !== null && to.getTime() - from.getTime() <= MAX_DELETED_DAYS * DAY_MS;
}

/** The midnight in UTC from which on all computed days are invalid; null: no such, as the days are deleted or none changes. */
export function closedBefore(times: ChangedTimes | null | undefined): Date | null {
  if (!times || isShort(times)) return null;
  const time = times.from.getTime();
  return new Date(time - (time % DAY_MS));
}
