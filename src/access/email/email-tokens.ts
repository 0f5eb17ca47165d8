import { createHash, randomBytes } from 'node:crypto';

/** Time for which a link in mail works. */
export const LINK_MS = 15 * 60_000;

/** Prefix, and 32 bytes in base64url. */
const TOKEN = /^ae_[A-Za-z0-9_-]{43}$/;

/** Returns a new token of a link: `ae_` and 32 random bytes in base64url. */
export function createEmailToken(): string {
  return `ae_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash of a token, as stored, or undefined if the text is not a token. */
export function hashOfEmailToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}
