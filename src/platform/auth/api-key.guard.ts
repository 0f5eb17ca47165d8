import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { Replicas } from '../database/replicas.js';
import { PROBLEMS } from '../problems/catalogue.js';
import { challenge, challengeWithBasic } from '../problems/challenge.js';
import { Problem } from '../problems/problem.js';
import { RateLimit } from '../server/rate-limit.js';
import { ACCEPTS_BASIC, IS_PUBLIC } from './access.decorators.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { basicPasswordIn, usesBasic } from './basic-password.js';
import { invalidApiKey } from './invalid-api-key.js';

/** The first global guard: 401 without a valid API key, unless the handler is `@Public()`; 429 above a rate limit. */
@Injectable()
export class ApiKeyGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimit: RateLimit,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly replicas: Replicas,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(IS_PUBLIC, context.getHandler())) return true;
    const allowed = this.useCached(context) || (await this.authenticate(context));
    await this.rateLimit.countRequest(context);
    if (this.replicas.exist) this.trackWrite(context);
    return allowed;
  }

  /** Sends the reads of an organization to the primary until its write has completed and a replica has received it. */
  private trackWrite(context: ExecutionContext): void {
    const { method, actor } = context.switchToHttp().getRequest<Request>();
    if (method === 'GET' || method === 'HEAD' || !actor) return;
    this.replicas.trackWrite(actor.organization_id, context.switchToHttp().getResponse<Response>());
  }

  /** Cached keys skip passport, which takes 20 % of a request's time (docs/performance.md). */
  private useCached(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    this.convertBasic(request, context);
    const known = this.authenticator.getCached(tokenOf(request));
    if (known) request.actor = known;
    return known !== undefined;
  }

  private async authenticate(context: ExecutionContext): Promise<boolean> {
    const token = tokenOf(context.switchToHttp().getRequest<Request>());
    // Before the lookup, so that the rate limit also bounds lookups of unknown keys.
    if (!this.authenticator.isKnownToken(token)) await this.rateLimit.rejectIfFailuresExhausted(context);
    try {
      return Boolean(await super.canActivate(context));
    } catch (error) {
      // A 401 counts, to limit guessing. A 5xx does not.
      if (error instanceof Problem && PROBLEMS[error.code].status === 401)
        await this.rateLimit.countFailedAuthentication(context);
      throw error;
    }
  }

  /** Makes passport store the key in `request.actor`. */
  override getAuthenticateOptions(): { property: string } {
    return { property: 'actor' };
  }

  /** Converts Basic authentication to the Bearer scheme, for a handler that accepts both. */
  private convertBasic({ headers }: Request, context: ExecutionContext): void {
    const { authorization = '' } = headers;
    if (usesBasic(authorization) && this.acceptsBasic(context))
      headers.authorization = `Bearer ${basicPasswordIn(authorization)}`;
  }

  private acceptsBasic(context: ExecutionContext): boolean {
    return this.reflector.get<boolean | undefined>(ACCEPTS_BASIC, context.getHandler()) ?? false;
  }

  /** Handles the result of the strategy. Called by passport. */
  override handleRequest<User>(
    error: unknown,
    user: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (user) return user;
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    const acceptsBasic = this.acceptsBasic(context);
    // RFC 6750, section 3.1: no error code without credentials of this scheme.
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
      const schemes = acceptsBasic ? 'Bearer or Basic' : 'Bearer';
      const missing =
        authorization === undefined ? '' : `The Authorization header does not use the ${schemes} scheme. `;
      const other = acceptsBasic ? ', or as the password of Basic authentication' : '';
      const detail = `${missing}Send the key in the header Authorization: Bearer <API_KEY>${other}`;
      throw new Problem('missing_api_key', {
        detail,
        headers: acceptsBasic ? challengeWithBasic() : challenge(),
      });
    }
    throw invalidApiKey(acceptsBasic ? challengeWithBasic('invalid_token') : undefined);
  }
}

function tokenOf({ headers }: Request): string {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token;
}
