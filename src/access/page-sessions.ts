import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../platform/config/public-url.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import { HostCookies } from '../platform/server/host-cookies.js';
import type { AccessRules } from './access-rules.service.js';

/** Time for which a session shows a page. */
export const SESSION_SECONDS = 12 * 3_600;

const PURPOSE = 'page session';
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
    private readonly cookies: HostCookies,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Adds the cookie of a new session to the response. */
  start(request: IncomingMessage, response: ServerResponse, page: SessionPage): void {
    const expires = Math.floor(Date.now() / 1_000) + SESSION_SECONDS;
    const mac = this.macOf(request, page, expires).toString('base64url');
    const value = `${expires.toString(36)}.${mac}`;
    this.cookies.set(request, response, { name: nameOf(page), value, seconds: SESSION_SECONDS });
  }

  /** Returns whether a request belongs to a session of this page, under its present rules. */
  has(request: IncomingMessage, page: SessionPage): boolean {
    const value = this.cookies.read(request, nameOf(page));
    const [, end = '', signature = ''] = VALUE.exec(value ?? '') ?? [];
    const expires = Number.parseInt(end, 36);
    const now = Date.now() / 1_000;
    if (!(expires > now && expires <= now + SESSION_SECONDS + 60)) return false;
    const mac = Buffer.from(signature, 'base64url');
    return (
      timingSafeEqual(mac, this.macOf(request, page, expires)) && mac.toString('base64url') === signature
    );
  }

  /** Binds a session to a verified domain, or to the host of the public URL, never to the header `Host`. */
  private macOf({ domain }: IncomingMessage, { id, version }: SessionPage, expires: number): Buffer {
    const host = domain?.domain ?? new URL(this.publicUrl.value).host;
    return this.secrets.sign(PURPOSE, [host, id, version, expires].join('\n'));
  }
}

function nameOf({ id }: SessionPage): string {
  return `access-${id}`;
}
