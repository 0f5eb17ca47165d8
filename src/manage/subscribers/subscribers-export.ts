import type { SubscriberDto } from '../../subscribers/dto/subscriber.dto.js';

/** First line of an export. An import reads `email` and `status`. */
export const SUBSCRIBER_COLUMNS = 'email,status,source,confirmed_at,created_at\r\n';

/** Returns the line of a subscriber in an export (RFC 4180). */
export function csvOf({ email, status, source, confirmed_at, created_at }: SubscriberDto): string {
  const cells = [cellOf(email), status, source, confirmed_at?.toISOString() ?? '', created_at.toISOString()];
  return `${cells.join(',')}\r\n`;
}

/** Quotes a cell. A spreadsheet would run a text that begins with one of these characters as a formula. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
