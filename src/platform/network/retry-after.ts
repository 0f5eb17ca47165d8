const MAX_MS = 24 * 3_600_000;

/** The three formats of dates in HTTP, all in GMT. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/** Returns the milliseconds of a header `Retry-After`, at most a day; null if it is missing or malformed. */
export function parseRetryAfter(header: string | string[] | undefined, now = Date.now()): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  if (!HTTP_DATE.test(text)) return null;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.min(Math.max(time - now, 0), MAX_MS);
}
