import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { CORS_HEADERS } from './cors.js';

/** Security headers of the documentation page. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    // The proxy in front decides about HTTPS.
    directives: { 'upgrade-insecure-requests': null },
  },
  strictTransportSecurity: false,
});

/** Security headers of JSON: no framing or embedding, and no headers that only concern pages. */
const dataHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  frameguard: { action: 'deny' },
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  dnsPrefetchControl: false,
  ieNoOpen: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
});

/** Sets the security and CORS headers of every response, and `Cache-Control: no-store`. */
export function responseHeaders(): RequestHandler {
  return (request, response, next) => {
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    (request.url.startsWith('/docs') ? pageHeaders : dataHeaders)(request, response, next);
  };
}
