import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { CORS_HEADERS } from '../../platform/server/cors.js';
import type { AnyRequest } from '../../platform/server/request-end.js';
import { pagePath } from '../../status-pages/page-path.js';
import { partAt } from '../../page-model/parts.js';

/** A path that can be another spelling of a part's path: a slug, and the path below it. */
const CANDIDATE = /^\/status\/[a-z0-9][a-z0-9-]{0,62}((?:\/[^?]*)?)(?:\?|$)/i;

/** Bytes of a query, each decoded as one Latin-1 character, that a header cannot contain. */
const BYTES_TO_ENCODE = /[^\x21-\x7e]/g;

/** Short, because browsers would otherwise keep the redirect of a page that is no longer `HOME_PAGE`. */
const CACHE_CONTROL = 'public, max-age=60';

/**
 * Redirects other spellings of a part's path to its one address: upper case, a trailing slash, and `/status/{slug}` of the page
 * of `HOME_PAGE`; on a domain, within the domain. Depends only on the spelling, so the redirects of private pages and unknown slugs are the same.
 */
@Injectable()
export class Redirects {
  private readonly base: string;

  constructor(private readonly env: Env) {
    this.base = new URL(env.PUBLIC_URL ?? 'http://localhost').pathname.replace(/(?<!\/)\/+$/, '');
  }

  /**
   * Responds 308 if the path has another spelling. Returns false if it did not respond.
   * @param id the request ID
   */
  respond(request: AnyRequest, response: ServerResponse, id: string): boolean {
    const { method, url = '' } = request;
    const location =
      method === 'GET' || method === 'HEAD' ? this.locationOf(url, request.domain?.slug) : undefined;
    if (location === undefined) return false;
    sendRedirect(response, location, CACHE_CONTROL, id);
    return true;
  }

  /**
   * Returns the path and query to redirect to, or undefined.
   * @param domainSlug the slug of the page of a domain, if the domain is requested
   */
  private locationOf(target: string, domainSlug: string | undefined): string | undefined {
    const [, below] = CANDIDATE.exec(target) ?? [];
    if (below === undefined || !partAt(normalizedPath(below))) return undefined;
    const [path = ''] = target.split('?', 1);
    const normalized = normalizedPath(path);
    const canonical = domainSlug === undefined ? this.withHome(normalized) : normalized;
    if (canonical === path) return undefined;
    const query = target.slice(path.length);
    const own =
      domainSlug === undefined
        ? this.base + canonical
        : canonical.slice(`/status/${domainSlug}`.length) || '/';
    return own + encodeBytes(query);
  }

  private withHome(path: string): string {
    const { HOME_PAGE } = this.env;
    return HOME_PAGE !== undefined && path === `/status/${HOME_PAGE}` ? pagePath(HOME_PAGE, HOME_PAGE) : path;
  }
}

function normalizedPath(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}

/** Returns a query that a header can contain. */
export function encodeBytes(query: string): string {
  return query.replaceAll(BYTES_TO_ENCODE, (byte) => `%${Buffer.from(byte, 'latin1').toString('hex')}`);
}

/**
 * Responds 308.
 * @param cacheControl `Cache-Control`, unless the location contains the token of a preview link
 * @param id the request ID
 */
export function sendRedirect(
  response: ServerResponse,
  location: string,
  cacheControl: string,
  id: string,
): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response
    .writeHead(308, {
      Location: location,
      'Content-Length': 0,
      // The query can contain the token of a preview link or an access link.
      'Cache-Control': /preview|token/.test(location) ? 'private, no-store' : cacheControl,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      ...CORS_HEADERS, // scripts that read a feed must be able to follow the redirect
      'X-Request-Id': id,
    })
    .end();
}
