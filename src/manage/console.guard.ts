import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import type { Scope } from '../platform/auth/scopes.js';
import { Env } from '../platform/config/env.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { Replicas } from '../platform/database/replicas.js';
import { Problem } from '../platform/problems/problem.js';
import { RateLimit } from '../platform/server/rate-limit.js';
import { isFromOtherOrigin } from '../platform/server/request-headers.js';
import { readFields } from '../platform/validation/form.js';
import { isMultipart, readUpload, type SentFile } from '../platform/validation/upload.js';
import { type ConsoleSession, ConsoleSessions } from './console-session.js';

/** Metadata key: who may use a handler, see {@link ConsoleAccess}. */
export const CONSOLE_ACCESS = 'manage:access';

/** Metadata key: maximum size of the file that a form contains; omitted: no file. */
export const CONSOLE_UPLOAD = 'manage:upload';

/** Users of a handler: everyone, each member, or members with a scope. */
export type ConsoleAccess = 'everyone' | 'member' | Scope;

/** Maximum size of a form. A postmortem of 50,000 characters has up to 600,000 bytes in a form. */
const MAX_FORM_BYTES = 1024 * 1024;

/** Thrown if a form is sent without a session, or with the token of another one. What the member wrote is kept. */
export class FormRefused extends Error {
  constructor(readonly sent: URLSearchParams) {
    super('the form has no session, or the token of another one');
  }
}

/** Thrown if a screen is requested without a session. */
export class SignInNeeded extends Error {}

/**
 * Decides who may use a handler of the console. A handler without a declaration rejects all. Forms of other sites are rejected
 * before anything is read, and a form needs the token of its session.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: ConsoleSessions,
    private readonly replicas: Replicas,
    private readonly rateLimit: RateLimit,
    private readonly env: Env,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * @throws SignInNeeded; FormRefused; Problem 403 `forbidden` for a form of another site, `insufficient_scope` for a member whose
   * role does not contain the scope
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const access = this.reflector.get<ConsoleAccess | undefined>(CONSOLE_ACCESS, context.getHandler());
    const isForm = request.method === 'POST';
    this.requireOwnHost(request);
    if (isForm) this.requireOwnSite(request);
    let session: ConsoleSession | undefined;
    try {
      session = await this.sessionOf(context, access);
      if (session) {
        request.actor = session.actor;
        await this.rateLimit.countRequest(context);
      }
    } catch (error) {
      // The screen of the error keeps what a member wrote. Forms of strangers are not read.
      if (isForm && this.sessions.isKnown(request))
        request.console = { session, ...(await this.read(request, context)) };
      throw error;
    }
    const { sent, file } = isForm
      ? await this.read(request, context)
      : { sent: new URLSearchParams(), file: undefined };
    // Again, because a slow form can arrive after the session has ended.
    if (isForm && session) session = await this.sessions.find(request);
    request.console = { session, sent, file };
    if (isForm && session)
      this.replicas.trackWrite(session.actor.organization_id, context.switchToHttp().getResponse<Response>());
    if (access === 'everyone') return true;
    if (!session) throw isForm ? new FormRefused(sent) : new SignInNeeded();
    if (access === undefined) throw insufficientScope([]);
    if (access !== 'member' && !session.actor.scopes.includes(access)) throw insufficientScope([access]);
    if (isForm && !this.sessions.owns(session, sent.get('token'))) throw new FormRefused(sent);
    return true;
  }

  /** Reads a form. @throws Problem as `readFields` */
  private async read(request: Request, context: ExecutionContext): Promise<SentFile> {
    const maxFile = this.reflector.get<number | undefined>(CONSOLE_UPLOAD, context.getHandler());
    if (maxFile !== undefined && isMultipart(request)) return readUpload(request, maxFile);
    return { sent: await readFields(request, MAX_FORM_BYTES), file: undefined };
  }

  /**
   * Finds the session of a request. Unknown cookies count as failed authentications of their address, whose limit does not affect handlers
   * that need no session.
   * @throws Problem 429 `rate_limited`
   */
  private async sessionOf(
    context: ExecutionContext,
    access: ConsoleAccess | undefined,
  ): Promise<ConsoleSession | undefined> {
    const request = context.switchToHttp().getRequest<Request>();
    const isKnown = this.sessions.isKnown(request);
    if (isKnown === undefined) return undefined;
    try {
      if (!isKnown) await this.rateLimit.rejectIfFailuresExhausted(context);
      const session = await this.sessions.find(request);
      if (!session && !isKnown) await this.rateLimit.countFailedAuthentication(context);
      return session;
    } catch (error) {
      if (access === 'everyone' && error instanceof Problem) return undefined;
      throw error;
    }
  }

  /**
   * Rejects requests for other host names. Their owners could otherwise let members sign in there, and later receive their cookies.
   * @throws Problem 404 `not_found`
   */
  private requireOwnHost({ headers }: Request): void {
    if (this.env.PUBLIC_URL !== undefined && hostNameOf(`http://${headers.host}`) !== this.publicUrl.host)
      throw new Problem('not_found');
  }

  /**
   * Rejects a form that another site sends in the browser of a member (CSRF). Browsers add both headers; programs need the token.
   * @throws Problem 403 `forbidden`
   */
  private requireOwnSite(request: Request): void {
    const { origin, host } = request.headers;
    // A proxy can remove the port of `Host`.
    const own = [host?.toLowerCase(), new URL(this.publicUrl.value).host];
    if ((origin !== undefined && !own.includes(hostOf(origin))) || isFromOtherOrigin(request))
      throw new Problem('forbidden', { detail: 'Another site has sent this form' });
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function hostNameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
