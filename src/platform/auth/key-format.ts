import { generateToken, isWellFormedToken } from './token-format.js';

const PREFIX = 'sp_';

/** Number of characters of a key that responses and logs can show. */
export const PREFIX_LENGTH = 8;

/** Matches the first {@link PREFIX_LENGTH} characters of a key. */
export const PREFIX_PATTERN = /^sp_[0-9A-Za-z]{5}$/;

/** Generates an API key. */
export function generateKey(): string {
  return generateToken(PREFIX);
}

/** Returns whether a text has the format and checksum of a key. */
export function isWellFormedKey(key: string): boolean {
  return isWellFormedToken(PREFIX, key);
}
