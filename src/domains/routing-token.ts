import { Injectable } from '@nestjs/common';
import { SecretsService } from '../platform/secrets/secrets.service.js';

/** Path under which every host of the instance serves its token. */
export const ROUTING_PATH = '/.well-known/status-pages';

const PURPOSE = 'domain routing';
const TOKEN_BYTES = 20;

/**
 * Tokens of hosts, which prove that a request to a host has reached this instance with its `Host` header. The token of a host depends
 * only on its name and the key of the instance, so it does not reveal whether a page uses the host.
 */
@Injectable()
export class RoutingToken {
  constructor(private readonly secrets: SecretsService) {}

  /** Returns the token of a host. */
  of(host: string): string {
    return this.secrets.sign(PURPOSE, host).subarray(0, TOKEN_BYTES).toString('base64url');
  }

  /** Returns whether a text is the token of a host, also with the former key of the instance. */
  isOf(host: string, token: string): boolean {
    return this.secrets.verify(PURPOSE, host, Buffer.from(token, 'base64url'));
  }
}
