import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { CORS_HEADERS } from './cors.js';

/** Headers of the documentation page. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    // Whether this is https is for the proxy in front to say.
    directives: { 'upgrade-insecure-requests': null },
  },
  strictTransportSecurity: false,
});

/** Headers of JSON: no site may frame or embed it, and the headers that concern pages only are left out. */
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

/** Sets the security and CORS headers of every response, and keeps responses out of caches. */
export function responseHeaders(): RequestHandler {
  return (request, response, next) => {
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    (request.url.startsWith('/docs') ? pageHeaders : dataHeaders)(request, response, next);
  };
}
