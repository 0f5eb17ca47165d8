import { isEmailAddress, isInDomains } from '../../subscribers/email-address.js';

/** Claims of an account, from its ID token or the issuer's userinfo. */
export type AccountClaims = Readonly<Record<string, unknown>>;

/** Reason why an account is rejected. */
export type AccountRejection = 'email_missing' | 'email_unverified' | 'email_domain';

/**
 * Returns why an account cannot enter, or undefined if it can.
 *
 * - Without `email_domains`, every account of the issuer can enter, except those whose address the issuer calls unverified.
 * - With `email_domains`, the issuer must say that it has verified the address, and its domain must be listed. A missing
 *   `email_verified` does not count as verified, because at some issuers users can enter any address.
 */
export function rejectionOf(
  claims: AccountClaims,
  email_domains: readonly string[],
): AccountRejection | undefined {
  const { email, email_verified } = claims;
  if (isFalse(email_verified)) return 'email_unverified';
  if (email_domains.length === 0) return undefined;
  if (typeof email !== 'string' || !isEmailAddress(email)) return 'email_missing';
  if (!isVerified(claims)) return 'email_unverified';
  return isInDomains(email, email_domains) ? undefined : 'email_domain';
}

/** Some issuers send booleans as strings. `xms_edov` is Microsoft's claim, which it sends instead, also as a number. */
function isVerified({ email_verified, xms_edov }: AccountClaims): boolean {
  return isTrue(email_verified ?? xms_edov);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

function isFalse(value: unknown): boolean {
  return value !== undefined && !isTrue(value);
}
