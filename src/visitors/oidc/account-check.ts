import { type AccountClaims, isUnverified, isVerified } from '../../platform/oidc/account-claims.js';
import { isEmailAddress, isInDomains } from '../../subscribers/email-address.js';

/** Reason why an account is rejected. */
export type AccountRejection = 'email_missing' | 'email_unverified' | 'email_domain';

/**
 * Returns why an account cannot enter, or undefined if it can.
 *
 * - Without `email_domains`, every account of the issuer can enter, except those whose address the issuer calls unverified.
 * - With `email_domains`, the issuer must say that it has verified the address, and its domain must be listed.
 */
export function rejectionOf(
  claims: AccountClaims,
  email_domains: readonly string[],
): AccountRejection | undefined {
  const { email } = claims;
  if (isUnverified(claims)) return 'email_unverified';
  if (email_domains.length === 0) return undefined;
  if (typeof email !== 'string' || !isEmailAddress(email)) return 'email_missing';
  if (!isVerified(claims)) return 'email_unverified';
  return isInDomains(email, email_domains) ? undefined : 'email_domain';
}
