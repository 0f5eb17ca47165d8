import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import type { CurrentApiKey } from './current-key.js';

/** Finds the key of `Authorization: Bearer <API_KEY>` (RFC 6750, section 2.1). */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly authenticator: ApiKeyAuthenticator) {
    super();
  }

  /** passport-http-bearer also looks into the query and the body; a key there is no credential, so it sees neither. */
  override authenticate(request: Request): void {
    const headersOnly: Request = Object.create(request, { query: { value: {} }, body: { value: undefined } });
    super.authenticate(headersOnly);
  }

  /** Called by passport with the token; false: it is no key that holds. */
  async validate(token: string): Promise<CurrentApiKey | false> {
    return (await this.authenticator.authenticate(token)) ?? false;
  }
}
