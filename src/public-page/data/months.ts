/** History range: number of months in the past, and in the future, where maintenance windows are planned. */
export const MONTHS_BACK = 120;
export const MONTHS_AHEAD = 12;

/** Returns the month of a time in UTC, as `YYYY-MM`. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Returns the month that is `count` months later, or earlier if `count` is negative. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** Returns whether a text is a month, `YYYY-MM`, in the range of a page's history. */
export function isMonth(text: string, now: Date): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return false;
  const current = monthOf(now);
  return text >= monthAfter(current, -MONTHS_BACK) && text <= monthAfter(current, MONTHS_AHEAD);
}

/** Returns the time range from the start of a month until before the start of the next month. */
export function rangeOfMonth(month: string): { from: Date; to: Date } {
  const start = (one: string) => new Date(`${one}-01T00:00:00.000Z`);
  return { from: start(month), to: start(monthAfter(month, 1)) };
}
