import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { PublicUrl } from '../platform/config/public-url.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import type { AccessRules } from './access-rules.service.js';

/** Time for which a session shows a page. */
export const SESSION_SECONDS = 12 * 3_600;

const PURPOSE = 'page session';
const LOCALHOST = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;
/** Expiry in seconds since 1970 in base 36, and the signature. */
const VALUE = /^([0-9a-z]{6,8})\.([A-Za-z0-9_-]{43})$/;

/** The page of a session and the version of its rules. */
type SessionPage = Pick<AccessRules, 'id' | 'version'>;

/**
 * Sessions of visitors who may see a private page. A session is a signed cookie and is not stored. The signature covers the page,
 * the version of its rules, the expiry and the host, so that it is of no use for another page or on another domain, and every
 * change of the rules ends it. Only the key in use signs sessions, so that its rotation ends them as well.
 *
 *     sessions.start(request, response, rules);
 *     sessions.has(request, rules); // in the next request
 */
@Injectable()
export class PageSessions {
  constructor(
    private readonly secrets: SecretsService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Adds the cookie of a new session to the response. */
  start(request: IncomingMessage, response: ServerResponse, page: SessionPage): void {
    const expires = Math.floor(Date.now() / 1_000) + SESSION_SECONDS;
    const mac = this.macOf(request, page, expires).toString('base64url');
    response.appendHeader(
      'Set-Cookie',
      `${this.cookieName(request, page)}=${expires.toString(36)}.${mac}; ${this.attributes(request, SESSION_SECONDS)}`,
    );
  }

  /** Returns whether a request belongs to a session of this page, under its present rules. */
  has(request: IncomingMessage, page: SessionPage): boolean {
    const value = readCookie(request, this.cookieName(request, page));
    const [, end = '', signature = ''] = VALUE.exec(value ?? '') ?? [];
    const expires = Number.parseInt(end, 36);
    const now = Date.now() / 1_000;
    if (!(expires > now && expires <= now + SESSION_SECONDS + 60)) return false;
    const mac = Buffer.from(signature, 'base64url');
    return (
      timingSafeEqual(mac, this.macOf(request, page, expires)) && mac.toString('base64url') === signature
    );
  }

  /**
   * Returns the attributes of a cookie for private pages. Browsers send it only to this host, never to scripts, and not with
   * requests of other sites, except for followed links.
   */
  attributes(request: IncomingMessage, seconds: number): string {
    const secure = this.isSecure(request) ? ' Secure;' : '';
    return `Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Lax`;
  }

  /** Returns the prefix of a cookie's name, with which browsers accept it only from this host. Empty on localhost without TLS. */
  prefix(request: IncomingMessage): string {
    return this.isSecure(request) ? '__Host-' : '';
  }

  /** Returns the host to which sessions are bound: a verified domain, or the host of the public URL, never the header `Host`. */
  hostOf({ domain }: IncomingMessage): string {
    return domain?.domain ?? new URL(this.publicUrl.value).host;
  }

  private cookieName(request: IncomingMessage, { id }: SessionPage): string {
    return `${this.prefix(request)}access-${id}`;
  }

  private isSecure({ domain }: IncomingMessage): boolean {
    return domain !== undefined || !LOCALHOST.test(this.publicUrl.value);
  }

  private macOf(request: IncomingMessage, { id, version }: SessionPage, expires: number): Buffer {
    return this.secrets.sign(PURPOSE, [this.hostOf(request), id, version, expires].join('\n'));
  }
}

/** Logs a warning if browsers cannot keep sessions, because the public URL has no TLS and is not localhost. */
export function warnOfLostSessions(publicUrl: string, logger: Logger): void {
  if (publicUrl.startsWith('http:') && !LOCALHOST.test(publicUrl))
    logger.warn('PUBLIC_URL begins with http; browsers cannot keep sessions of private status pages');
}

/** Returns the first cookie with this name, or undefined. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const found = headers.cookie?.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1);
}
