import { createHash, randomInt } from 'node:crypto';
import crc32 from 'crc-32';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const TOKEN = /^[0-9A-Za-z]{46}$/;

/**
 * Generates a secret: a prefix, 40 random base62 characters (238 bits), and their CRC-32 as 6 base62 characters.
 * @param prefix identifies the kind of secret, such as `sp_`
 */
export function generateToken(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join(
    '',
  );
  return prefix + random + checksum(random);
}

/**
 * Returns whether a text has the format and checksum of a token. Detects typos without a lookup; does not check that the token
 * exists.
 */
export function isWellFormedToken(prefix: string, text: string): boolean {
  const token = text.slice(prefix.length);
  return (
    text.startsWith(prefix) &&
    TOKEN.test(token) &&
    checksum(token.slice(0, RANDOM_LENGTH)) === token.slice(RANDOM_LENGTH)
  );
}

/** Returns the stored SHA-256 of a token. Tokens are random, so they need neither a salt nor a slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function checksum(text: string): string {
  let rest = crc32.str(text) >>> 0;
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
