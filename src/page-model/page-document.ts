import { createHash } from 'node:crypto';

/** A document of one part of a page. Its body is text, or the bytes of a picture. */
export interface PageDocument<Body extends string | Buffer = string> {
  /** `Content-Type`. */
  type: string;
  body: Body;
  /** Value of `Content-Security-Policy`, only for HTML and pictures. */
  csp?: string;
  /** Value of `Cache-Control`, if it differs from the other documents. */
  cache_control?: string;
}

export type AnyDocument = PageDocument<string | Buffer>;

/** A document as bytes, text in UTF-8. */
export interface EncodedDocument extends PageDocument<Buffer> {
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
export function encode({ body, ...document }: AnyDocument): EncodedDocument {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { ...document, body: bytes, tag };
}
