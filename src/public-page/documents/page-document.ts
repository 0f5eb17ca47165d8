import { createHash } from 'node:crypto';

/** A document that visitors get, of one part of a page. */
export interface PageDocument {
  /** `Content-Type`. */
  type: string;
  body: string;
  /** The value of `Content-Security-Policy`; HTML only. */
  csp?: string;
}

/** A document as bytes in UTF-8. */
export interface EncodedDocument extends Omit<PageDocument, 'body'> {
  body: Buffer;
  /** The hash of the body. */
  tag: string;
}

/** What the cache of a rendered document must know. */
export interface DocumentState {
  /** The page. */
  page_id: string;
  slug: string;
  /** The version of the page, from the same snapshot of the database. */
  version: string;
  /** When the clock makes it out of date: a maintenance begins, a report goes stale, or a minute is over. */
  until: Date;
}

/** A document as bytes, with their hash. */
export function encode({ body, ...document }: PageDocument): EncodedDocument {
  const bytes = Buffer.from(body);
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { ...document, body: bytes, tag };
}
