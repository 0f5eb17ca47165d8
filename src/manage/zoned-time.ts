const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/;
const MINUTE_MS = 60_000;

/** Years of times in forms. Outside of them, a year can have other than four digits in some zone. */
const YEARS = { min: 1900, max: 2200 };

/** Returns a time as the value of an input of type `datetime-local`, such as `2026-11-28T20:15`. @param zone IANA name */
export function toLocal(time: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);
  return parts.replace(' ', 'T');
}

/**
 * Returns the time of an input of type `datetime-local`, or undefined, also for years before 1900 or after 2200. A time that the clock skips in spring counts as the one an hour
 * later; of a time that exists twice in autumn, it returns the first.
 * @param zone IANA name
 */
export function fromLocal(text: string, zone: string): Date | undefined {
  const found = LOCAL.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map(Number);
  if (year < YEARS.min || year > YEARS.max) return undefined;
  const utc = Date.UTC(year, month - 1, day, hour, minute);
  if (toLocal(new Date(utc), 'UTC') !== text.slice(0, 16)) return undefined; // such as 31 February
  const [early, late] = [utc - offsetAt(utc - 86_400_000, zone), utc - offsetAt(utc + 86_400_000, zone)];
  const candidates = [early, late].filter((time) => toLocal(new Date(time), zone) === text.slice(0, 16));
  return new Date(candidates.length > 0 ? Math.min(...candidates) : early);
}

/** Returns the difference between the clock of a zone and UTC at a time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${toLocal(new Date(minute), zone)}:00.000Z`) - minute;
}
