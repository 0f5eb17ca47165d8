import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { PublicUrl } from '../config/public-url.js';

const LOCALHOST = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** A cookie of a response. */
interface HostCookie {
  /** Without the prefix. */
  name: string;
  value: string;
  /** Lifetime; 0 removes the cookie. */
  seconds: number;
}

/**
 * Cookies for this host alone. Browsers never give them to scripts, and do not send them with requests of other sites, except for
 * followed links. The names begin with `__Host-`, except on localhost without TLS, where browsers would reject them.
 *
 *     cookies.set(request, response, { name: 'manage', value: token, seconds: 900 });
 *     cookies.read(request, 'manage'); // in the next request
 */
@Injectable()
export class HostCookies {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** Adds a cookie to the response. */
  set(request: IncomingMessage, response: ServerResponse, { name, value, seconds }: HostCookie): void {
    const secure = this.isSecure(request) ? ' Secure;' : '';
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Lax`;
    response.appendHeader('Set-Cookie', `${this.nameOf(request, name)}=${value}; ${attributes}`);
  }

  /** Returns the value of the first cookie with this name, or undefined. */
  read(request: IncomingMessage, name: string): string | undefined {
    const start = `${this.nameOf(request, name)}=`;
    const found = request.headers.cookie?.split(';').find((pair) => pair.trimStart().startsWith(start));
    return found?.trim().slice(start.length);
  }

  private nameOf(request: IncomingMessage, name: string): string {
    return this.isSecure(request) ? `__Host-${name}` : name;
  }

  private isSecure({ domain }: IncomingMessage): boolean {
    return domain !== undefined || !LOCALHOST.test(this.publicUrl.value);
  }
}

/** Logs a warning if browsers cannot keep sessions, because the public URL has no TLS and is not localhost. */
export function warnOfLostSessions(publicUrl: string, logger: Logger): void {
  if (publicUrl.startsWith('http:') && !LOCALHOST.test(publicUrl))
    logger.warn('PUBLIC_URL begins with http; browsers cannot keep sessions of private status pages');
}
