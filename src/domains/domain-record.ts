import { createHash } from 'node:crypto';

const PREFIX = 'status-pages-verification=';

/** Number of values of a response that are stored, and their maximum length. */
export const MAX_FOUND = 10;
export const MAX_FOUND_LENGTH = 255;

/** Maximum length of what a DNS provider keeps around the value of a record. */
const MAX_PADDING = 100;

/** A DNS record that proves a claim. */
export interface DomainRecord {
  type: 'TXT';
  name: string;
  value: string;
}

/**
 * Returns the record with which the owner of a domain permits a page to use it. The value identifies the page, without revealing its
 * ID, and remains the same for each domain of the page. It is not a secret: only the owner of the domain can publish it there.
 */
export function recordOf({
  domain,
  status_page_id,
}: {
  domain: string;
  status_page_id: string;
}): DomainRecord {
  const token = createHash('sha256').update(`domain of status page ${status_page_id}`).digest('hex');
  return { type: 'TXT', name: `_status-pages.${domain}`, value: PREFIX + token.slice(0, 40) };
}

/**
 * Returns whether one of the values of DNS is this record. Some DNS providers keep quotes and spaces around a value. The time is
 * bounded, because anyone can publish values of 64 kB.
 */
export function isAmong({ value }: DomainRecord, values: string[]): boolean {
  return values.some((one) => {
    if (one.length > value.length + MAX_PADDING) return false;
    const around = one.split(value);
    return around.length === 2 && around.every((part) => /^[\s"]*$/.test(part));
  });
}

/** Returns the values of DNS in the form in which they are stored: a bounded number of texts without control characters. */
export function shownValues(values: string[]): string[] {
  return values.slice(0, MAX_FOUND).map((value) =>
    value
      .slice(0, MAX_FOUND_LENGTH)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, '\ufffd'),
  );
}
