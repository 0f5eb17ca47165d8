import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { PROBLEMS } from '../problems/catalogue.js';
import { REALM } from '../problems/http-exception.js';
import { Problem } from '../problems/problem.js';
import { RateLimit } from '../server/rate-limit.js';
import { IS_PUBLIC } from './access.decorators.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { invalidApiKey } from './invalid-api-key.js';

/**
 * The first global guard: 401 for a request without a key that holds, unless the handler is `@Public()`; 429 for one too
 * many.
 */
@Injectable()
export class ApiKeyGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimit: RateLimit,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const isPublic = this.reflector.get<boolean | undefined>(IS_PUBLIC, context.getHandler()) ?? false;
    const allowed = isPublic || (await this.authenticate(context));
    await this.rateLimit.count(context);
    return allowed;
  }

  private async authenticate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    // Passport is asked only for a key that is not known: without it, a request takes a fifth less (docs/performance.md).
    const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const known = this.authenticator.getCached(token);
    if (known) {
      request.user = known;
      return true;
    }
    // Before the look-up, so that unknown keys cost the database no more than the limit allows.
    if (!this.authenticator.wasValid(token)) await this.rateLimit.refuseSpentAddress(context);
    try {
      return Boolean(await super.canActivate(context));
    } catch (error) {
      // A 401 counts, too, so that nobody tries keys without end. A fault of ours does not: it is no client's.
      if (error instanceof Problem && PROBLEMS[error.code].status < 500) await this.rateLimit.count(context);
      throw error;
    }
  }

  /** Called by passport with what the strategy found. */
  override handleRequest<User>(
    error: unknown,
    user: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (user) return user;
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    // RFC 6750, section 3.1: a request without credentials of this scheme is told no error code.
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
      const missing = authorization === undefined ? '' : 'The header Authorization lacks the scheme Bearer. ';
      const detail = `${missing}Send the key in the header Authorization: Bearer <API_KEY>`;
      throw new Problem('missing_api_key', { detail, headers: { 'WWW-Authenticate': REALM } });
    }
    throw invalidApiKey();
  }
}
