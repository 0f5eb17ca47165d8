/** How far the history of a page reaches: months in the past, and ahead, where maintenances are planned. */
export const MONTHS_BACK = 120;
export const MONTHS_AHEAD = 12;

/** The month of a time in UTC, as `YYYY-MM`. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** The month `count` months after another; before it, if `count` is negative. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** Whether a text is a month, `YYYY-MM`, that a page can have a history of. */
export function isMonth(text: string, now: Date): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return false;
  const current = monthOf(now);
  return text >= monthAfter(current, -MONTHS_BACK) && text <= monthAfter(current, MONTHS_AHEAD);
}

/** The month from its first time until before the first time of the next month. */
export function rangeOfMonth(month: string): { from: Date; to: Date } {
  const start = (one: string) => new Date(`${one}-01T00:00:00.000Z`);
  return { from: start(month), to: start(monthAfter(month, 1)) };
}
