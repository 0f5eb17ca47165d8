import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import type { CurrentApiKey } from './actor.js';

/** Authenticates `Authorization: Bearer <API_KEY>` (RFC 6750, section 2.1). */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly authenticator: ApiKeyAuthenticator) {
    super();
  }

  /** Hides the query and the body, in which passport-http-bearer would also accept a key. */
  override authenticate(request: Request): void {
    const headersOnly: Request = Object.create(request, { query: {}, body: {} }); // both undefined
    super.authenticate(headersOnly);
  }

  /** Returns the key of a token, or false to reject it. Called by passport. */
  async validate(token: string): Promise<CurrentApiKey | false> {
    return (await this.authenticator.authenticate(token)) ?? false;
  }
}
