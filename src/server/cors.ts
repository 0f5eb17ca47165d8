import type { Request } from 'express';

const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Allow',
  'Accept-Patch',
  'WWW-Authenticate',
];

/**
 * In every answer: what lets the pages of every site read it (Fetch standard, "CORS protocol"). The key is in a header that
 * the page itself must have, never in a cookie, so no site can use the rights of whoever looks at it.
 */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
};

/** Whether a browser asks by this OPTIONS what it may send from a page of another site. */
export function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** What a preflight is told: the methods that the path has, the headers that a request may have, and for a day. */
export function preflightHeaders(methods: string[]): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match',
    'Access-Control-Max-Age': '86400',
  };
}
