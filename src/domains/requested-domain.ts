import type { ServedDomain } from './domain-map.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Verified domain of a page that the request names in `Host`. Its URL is rewritten to `/status/{slug}`. */
    domain?: ServedDomain;
  }
}
