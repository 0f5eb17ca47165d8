import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { CORS_HEADERS } from './cors.js';

/**
 * Headers of JSON responses: sites cannot frame or embed them, and caches cannot store them. helmet would take 5 % of a small
 * request's time.
 */
export const DATA_HEADERS = Object.entries({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  ...CORS_HEADERS,
});

const setPageHeaders = helmet({
  // The proxy in front decides about HTTPS.
  contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
  strictTransportSecurity: false,
});

/** Sets the security, CORS and cache headers of every response, and the headers of helmet for the documentation page. */
export function responseHeaders(): RequestHandler {
  return (request, response, next) => {
    for (const [name, value] of DATA_HEADERS) response.setHeader(name, value);
    if (request.url.startsWith('/docs')) setPageHeaders(request, response, next);
    else next();
  };
}
