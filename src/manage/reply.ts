import type { Response } from 'express';
import { StoredResponse } from '../platform/server/stored-response.js';

/**
 * Headers of every response of the console: no cache stores it, no site frames it, and it runs no script, except for {@link SCRIPTED}.
 * The referrer stays within the console, because browsers send `Origin: null` with forms of a page without a referrer.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

/** Headers of the screens with a script. It can send requests to the console only. */
export const SCRIPTED = {
  'Content-Security-Policy': `${HEADERS['Content-Security-Policy']};script-src 'self';connect-src 'self'`,
};

/** Origin to which paths are relative while they are checked. */
const BASE = 'http://console.invalid';

/** A response of the console, which a handler returns. */
export class Reply extends StoredResponse {
  override send(response: Response): void {
    response.removeHeader('Access-Control-Allow-Origin'); // no other site reads a screen
    response.status(this.status).set({ ...HEADERS, ...this.headers });
    response.set('Content-Length', String(Buffer.byteLength(this.body)));
    response.end(this.body);
  }
}

/** Returns a response that leads to another screen, which the browser requests by GET. */
export function goTo(path: string): Reply {
  return new Reply(303, { Location: path, 'Content-Type': 'text/plain; charset=utf-8' }, 'See other\n');
}

/** Paths that start or end sessions. No redirect leads to them, because the link of a stranger would sign a member in as the stranger. */
const SESSION_PATH = /^\/manage\/sign-(?:in|out)(?:\/|$)/;

/**
 * Returns a path within the console: the given one, or the first screen if it leads elsewhere, or to the start or end of a session.
 * @param sent unvalidated
 */
export function ownPath(sent: string | null): string {
  if (sent === null || !sent.startsWith('/manage') || !URL.canParse(sent, BASE)) return '/manage';
  const { origin, pathname, search } = new URL(sent, BASE);
  const isOwn = origin === BASE && /^\/manage(?:\/[\w.-]+)*$/.test(pathname);
  return isOwn && !SESSION_PATH.test(pathname) ? pathname + search : '/manage';
}

/** Returns the header with which a form can be sent again after some seconds. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}
