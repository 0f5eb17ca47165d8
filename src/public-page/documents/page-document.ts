import { createHash } from 'node:crypto';

/** A document of one part of a page. */
export interface PageDocument {
  /** `Content-Type`. */
  type: string;
  body: string;
  /** Value of `Content-Security-Policy`, only for HTML. */
  csp?: string;
}

/** A document as bytes in UTF-8. */
export interface EncodedDocument extends Omit<PageDocument, 'body'> {
  body: Buffer;
  /** Hash of the body. */
  tag: string;
}

/** State of a rendered document, for the cache. */
export interface DocumentState {
  page_id: string;
  slug: string;
  /** Version of the page, from the same database snapshot. */
  version: string;
  /** Time at which it becomes out of date: a maintenance window starts, a report becomes stale, or a minute ends. */
  until: Date;
}

/** Returns a document as bytes, with their hash. */
export function encode({ body, ...document }: PageDocument): EncodedDocument {
  const bytes = Buffer.from(body);
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { ...document, body: bytes, tag };
}
