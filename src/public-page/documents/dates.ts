const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const LONG_MONTHS =
  'January February March April May June July August September October November December'.split(' ');

/** Dates, times and durations in the language and the time zone of a page. */
export interface Dates {
  /** Formats a day, `2026-11-18`, as `18 Nov 2026`. */
  day(day: string): string;
  /** Formats a time as `18 Nov 2026, 07:12 UTC`. */
  time(time: Date): string;
  /** Formats a month, `2026-11`, as `November 2026`. */
  month(month: string): string;
  /** Formats a number of seconds: `40 s`, `19 min`, `1 h 6 min`, `3 d 2 h`. The smaller part is rounded down. */
  duration(seconds: number): string;
}

export const DATES: Dates = { day, time, month, duration };

function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60),
  ];
  if (minutes === 0) return `${Math.floor(seconds)} s`;
  if (hours === 0) return `${minutes} min`;
  const two = (big: string, small: number, unit: string) => (small === 0 ? big : `${big} ${small} ${unit}`);
  if (seconds <= 86_400) return two(`${hours} h`, minutes % 60, 'min');
  return two(`${days} d`, hours % 24, 'h');
}

function day(date: string): string {
  return `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1] ?? ''} ${date.slice(0, 4)}`;
}

function time(at: Date): string {
  const iso = at.toISOString();
  return `${day(iso)}, ${iso.slice(11, 16)} UTC`;
}

function month(of: string): string {
  return `${LONG_MONTHS[Number(of.slice(5, 7)) - 1] ?? ''} ${of.slice(0, 4)}`;
}
