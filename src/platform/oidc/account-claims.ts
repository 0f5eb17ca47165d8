/** Claims of an account, from its ID token or the issuer's userinfo. */
export type AccountClaims = Readonly<Record<string, unknown>>;

/**
 * Returns whether the issuer has verified the address. A missing claim does not count, because at some issuers users can enter any
 * address. Some issuers send booleans as strings. `xms_edov` is Microsoft's claim, which it sends instead, also as a number.
 */
export function isVerified({ email_verified, xms_edov }: AccountClaims): boolean {
  return isTrue(email_verified ?? xms_edov);
}

/** Returns whether the issuer sends that it has not verified the address. */
export function isUnverified({ email_verified }: AccountClaims): boolean {
  return email_verified !== undefined && !isTrue(email_verified);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}
