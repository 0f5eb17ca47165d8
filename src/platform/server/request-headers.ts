import type { IncomingMessage } from 'node:http';

/** A request that Node.js accepts, but whose headers or version are ambiguous. The message contains the error. */
export class AmbiguousRequestError extends Error {
  readonly code = 'ERR_AMBIGUOUS_REQUEST';
}

type Head = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor'>;

/** Returns an error if the version or the headers of a request are ambiguous. Runs for each request. */
export function findHeaderError(request: Head): AmbiguousRequestError | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1) return new AmbiguousRequestError('The HTTP version must be 1.0 or 1.1');
  let hosts = 0;
  let types = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  // RFC 9112, section 3.2
  if (hosts > 1 || (hosts === 0 && httpVersionMinor !== 0))
    return new AmbiguousRequestError('The request must have exactly one Host header');
  // RFC 9110, section 5.3. Node.js would use the first header, but a proxy may have checked the last.
  if (authorizations > 1)
    return new AmbiguousRequestError('The request must have at most one Authorization header');
  if (types > 1) return new AmbiguousRequestError('The request must have at most one Content-Type header');
  return findCodingError(request);
}

/** Checks `Transfer-Encoding` (RFC 9112, section 6.1). */
function findCodingError({ headers, httpVersionMinor }: Head): AmbiguousRequestError | undefined {
  const { 'transfer-encoding': coding } = headers;
  if (coding === undefined) return undefined;
  if (httpVersionMinor === 0)
    return new AmbiguousRequestError('A request in HTTP/1.0 must not have Transfer-Encoding');
  // Node.js would not decode a body in `gzip, chunked`.
  return coding.toLowerCase() === 'chunked'
    ? undefined
    : new AmbiguousRequestError('The only supported transfer coding is chunked');
}

/** Values of `Sec-Fetch-Site` of other origins (Fetch Metadata). */
const OTHERS = new Set<unknown>(['cross-site', 'same-site']);

/** Returns whether another origin has sent a request in a browser. Another host of the same domain counts, because it can belong to someone else. Programs send no such header. */
export function isFromOtherOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return OTHERS.has(headers['sec-fetch-site']);
}
