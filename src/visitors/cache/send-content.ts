import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { matchesIfNoneMatch } from '../../platform/server/etag.js';
import { type ContentEncoding, ENCODINGS, type Content, type Representation } from './content.js';

/** Browsers and clients send few different values. Parsing a value takes 4 µs, a tenth of a cache hit. */
const encodings = new LRUCache<string, ContentEncoding>({ max: 1_000 });
const MAX_CACHED_LENGTH = 200;

/**
 * Returns the best content encoding that a client accepts (RFC 9110, section 12.5.3), by its weights. If weights are equal,
 * brotli precedes gzip. If the client accepts none of the supported encodings, returns `identity`.
 */
export function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>): ContentEncoding {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string') return 'identity';
  const known = encodings.get(accepted);
  if (known) return known;
  const best = new Negotiator({ headers }).encoding([...ENCODINGS], { preferred: ['br', 'gzip'] });
  const encoding = ENCODINGS.find((one) => one === best) ?? 'identity';
  if (accepted.length <= MAX_CACHED_LENGTH) encodings.set(accepted, encoding);
  return encoding;
}

/**
 * Sends a document. Sends 304 instead of 200 if the client already has it.
 * @param id the request ID
 */
export async function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  content: Content,
  id: string,
): Promise<void> {
  const encoding = encodingFor(request);
  const representation = content.peek(encoding) ?? (await content.in(encoding));
  sendRepresentation(request, response, status, content, representation, id);
}

/** Sends a representation that is ready, like {@link sendContent}. */
export function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  content: Content,
  { headers, not_modified, bytes }: Representation,
  id: string,
): void {
  // API headers, if the middleware has set them. A cookie is a part of the response.
  for (const name of response.getHeaderNames()) if (name !== 'set-cookie') response.removeHeader(name);
  if (status === 200 && matchesIfNoneMatch(request, `"${content.tag}"`)) {
    response.writeHead(304, [...not_modified, 'X-Request-Id', id]).end();
    return;
  }
  response.writeHead(status, [...headers, 'X-Request-Id', id]);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
