import { createHash, randomInt } from 'node:crypto';
import crc32 from 'crc-32';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^sp_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** Number of characters of a key that responses and logs can show. */
export const PREFIX_LENGTH = 8;

/** Matches the first {@link PREFIX_LENGTH} characters of a key. */
export const PREFIX_PATTERN = /^sp_[0-9A-Za-z]{5}$/;

/** Generates an API key: `sp_`, 40 random base62 characters (238 bits), and their CRC-32 as 6 base62 characters. */
export function generateKey(): string {
  const random = Array.from({ length: 40 }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  return `sp_${random}${checksum(random)}`;
}

/** Whether a text has the format and checksum of a key. Rejects typing errors without a lookup; proves nothing. */
export function isWellFormedKey(key: string): boolean {
  const [, random, sum] = KEY_PATTERN.exec(key) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** The SHA-256 of a key, as stored. Keys are random, so they need no salt and no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32.str(text) >>> 0;
  let digits = '';
  while (digits.length < 6) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
