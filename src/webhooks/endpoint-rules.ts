import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Env } from '../platform/config/env.js';
import { validationFailed } from '../platform/problems/problem.js';
import { NetworkGuard } from '../platform/network/network-guard.js';

/** Rules for URLs of webhook endpoints that depend on the configuration. */
@Injectable()
export class EndpointRules {
  constructor(
    private readonly env: Env,
    private readonly guard: NetworkGuard,
  ) {}

  /**
   * Checks a serialized URL. The addresses of a host name are checked for each request, because they can change.
   * @throws Problem 400 `validation_failed` for a URL that is not called in this configuration
   */
  check(url: string): void {
    const detail = this.errorOf(new URL(url));
    if (detail !== undefined) throw validationFailed([{ code: 'invalid_format', detail, pointer: '#/url' }]);
  }

  private errorOf({ protocol, hostname }: URL): string | undefined {
    if (protocol !== 'https:' && this.env.WEBHOOK_ALLOWED_NETWORKS === undefined)
      return 'must be an absolute URL with https, except for addresses in WEBHOOK_ALLOWED_NETWORKS';
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !this.guard.permits(address, protocol))
      return protocol === 'https:'
        ? 'must not contain an address that is not public, except for WEBHOOK_ALLOWED_NETWORKS'
        : 'must be an absolute URL with https, except for addresses in WEBHOOK_ALLOWED_NETWORKS';
    return undefined;
  }
}
