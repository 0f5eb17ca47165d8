import type { Request } from 'express';

const EXPOSED_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Allow',
  'Accept-Patch',
  'WWW-Authenticate',
];

/**
 * Headers of every response that let pages of any origin read it (Fetch standard, "CORS protocol"). This is safe, because API
 * keys are in a header that the page must set itself, never in a cookie.
 */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
};

/** Returns whether an OPTIONS request is a CORS preflight. */
export function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Returns the headers of a preflight response: allowed methods and headers, cacheable for a day. */
export function preflightHeaders(methods: string[]): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, MCP-Protocol-Version',
    'Access-Control-Max-Age': '86400',
  };
}
