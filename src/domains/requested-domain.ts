import type { ServedDomain } from './domains.repository.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Verified domain of a page that the request names in `Host`. Its URL is rewritten to `/status/{slug}`. */
    domain?: ServedDomain;
  }
}
