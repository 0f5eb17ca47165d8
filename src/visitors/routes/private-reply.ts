import type { Request } from 'express';
import type { PageDocument } from '../../page-model/page-document.js';

/**
 * Headers of a response for one visitor, such as a preview. Caches must not store it, and search engines must not index it. Replaces
 * `Cache-Control` of public pages.
 */
export const PRIVATE_HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' };

/** A response for one visitor. */
export interface PrivateReply {
  status: number;
  document: PageDocument;
  headers?: Record<string, string>;
}

/** Returns the response to a visitor who has reached a limit. */
export function tooMany(request: Request, document: PageDocument, seconds: number): PrivateReply {
  request.error_code = 'rate_limited';
  return { status: 429, document, headers: { 'Retry-After': String(seconds) } };
}
