/** History range: number of months in the past, and in the future, where maintenance windows are planned. */
export const MONTHS_BACK = 120;
export const MONTHS_AHEAD = 12;

/** Returns the month of a time, as `YYYY-MM`. */
export function monthOf(time: Date, timeZone = 'UTC'): string {
  return timeZone === 'UTC' ? time.toISOString().slice(0, 7) : wallClock(timeZone).format(time).slice(0, 7);
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
export function rangeOfMonth(month: string, timeZone = 'UTC'): { from: Date; to: Date } {
  const start = (one: string) => startOfDay(`${one}-01`, timeZone);
  return { from: start(month), to: start(monthAfter(month, 1)) };
}

/** Returns the time at which a day begins. If the clock skips midnight, the day begins with the change. */
function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  if (timeZone === 'UTC') return new Date(midnight);
  const clock = wallClock(timeZone);
  const offsetAt = (time: number) =>
    Date.parse(`${clock.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1_000) * 1_000;
  // The offset at midnight can differ from the offset at midnight in UTC.
  const near = midnight - offsetAt(midnight);
  return new Date(midnight - offsetAt(near));
}

/** Returns a format such as `2026-11-25 09:30:00`. */
function wallClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone });
}
