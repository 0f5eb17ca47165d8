import { generateToken, hashToken, isWellFormedToken } from '../../platform/auth/token-format.js';

/** Time for which a link in mail works. */
export const LINK_MS = 15 * 60_000;

const PREFIX = 'ae_';

/** Returns a new token of a link, and its hash, which is stored. */
export function createEmailToken(): { token: string; hash: Buffer } {
  const token = generateToken(PREFIX);
  return { token, hash: hashToken(token) };
}

/** Returns the hash of a token, as stored, or undefined if the text is not a token. */
export function hashOfEmailToken(token: string): Buffer | undefined {
  return isWellFormedToken(PREFIX, token) ? hashToken(token) : undefined;
}
