const TIME =
  /^\d{4}-(?<month>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Length of the longest time: nine digits of a second and an offset. */
export const MAX_TIME_LENGTH = 35;

/** Error detail for a text that is not a time. */
export const NOT_A_TIME = 'must be a time such as 2026-11-20T12:00:00Z or 2026-11-20T13:00:00+01:00';

/**
 * Parses a time (RFC 3339, section 5.6) with any offset and up to nine digits of a second, and truncates it to milliseconds.
 * Every time that a request contains is parsed here. Returns undefined for other texts, for leap seconds, and for dates that do
 * not exist, such as February 30.
 */
export function parseRfc3339(text: string): Date | undefined {
  const { day, month } = TIME.exec(text)?.groups ?? {};
  if (day === undefined) return undefined;
  const time = new Date(text.toUpperCase());
  // An offset can move the time out of the years that responses can contain.
  if (Number.isNaN(time.getTime()) || !hasFourDigits(time.getUTCFullYear())) return undefined;
  // `new Date` converts February 30 to a day in March.
  const isReal = Number(day) <= 28 || Number(day) <= daysIn(Number(text.slice(0, 4)), Number(month));
  return isReal ? time : undefined;
}

function hasFourDigits(year: number): boolean {
  return year >= 0 && year <= 9_999;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
