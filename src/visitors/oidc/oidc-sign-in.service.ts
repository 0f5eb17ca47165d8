import { Injectable } from '@nestjs/common';
import { CodeFlow, createSignInQueue, SignInError } from '../../platform/oidc/code-flow.js';
import type { OidcClient } from '../../platform/oidc/issuers.js';
import type { SignInFlow } from '../../platform/oidc/sign-in-flow.js';
import { rejectionOf } from './account-check.js';

/** Maximum number of sign-ins that one process completes at a time with an issuer, which may be slow. */
export const MAX_CONCURRENT = 20;
const LIMITS = { running: Infinity, each: MAX_CONCURRENT, waiting: 0, waitMs: 0 };

/** Provider whose accounts can enter a page. */
export interface OidcRule extends OidcClient {
  /** Domains of addresses. Empty: every account of the issuer. */
  email_domains: readonly string[];
}

/** Signs visitors in with OpenID Connect. */
@Injectable()
export class OidcSignInService {
  /** Sign-ins that are being completed, by issuer. None waits. */
  private readonly queue = createSignInQueue(LIMITS);

  constructor(private readonly codeFlow: CodeFlow) {}

  /**
   * Completes a sign-in of {@link CodeFlow.begin}. Returns if the visitor may enter.
   * @param search the query of the callback
   * @throws SignInError
   */
  async finish(rule: OidcRule, flow: SignInFlow, search: string): Promise<void> {
    const claims = await this.codeFlow.finish(rule, flow, search, {
      queue: this.queue,
      place: { owner: rule.issuer },
      needs_email: rule.email_domains.length > 0,
    });
    const rejection = rejectionOf(claims, rule.email_domains);
    if (rejection !== undefined) throw new SignInError('denied', rejection);
  }
}
