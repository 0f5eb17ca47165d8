/** A document that visitors get, of one part of a page. */
export interface PageDocument {
  /** `Content-Type`. */
  type: string;
  body: string;
  /** The value of `Content-Security-Policy`; HTML only. */
  csp?: string;
}

/** A rendered document, with what its cache must know. */
export interface RenderedDocument extends PageDocument {
  /** The page. */
  page_id: string;
  /** The version of the page, from the same snapshot of the database. */
  version: string;
  /** When the clock makes it out of date: a maintenance begins, a report goes stale, or a minute is over. */
  until: Date;
}
