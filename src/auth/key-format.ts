import { createHash, randomInt } from 'node:crypto';
import crc32 from 'crc-32';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^sp_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** How many characters of a key may be shown or logged. */
export const PREFIX_LENGTH = 8;

/** The form of the first {@link PREFIX_LENGTH} characters of a key. */
export const PREFIX_PATTERN = /^sp_[0-9A-Za-z]{5}$/;

/** A new API key: `sp_`, 40 random base62 characters (238 bits), 6 characters of base62 CRC-32 of those. */
export function generateKey(): string {
  const random = Array.from({ length: 40 }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  return `sp_${random}${checksum(random)}`;
}

/** Whether a text has the form of a key, checksum included. A cheap refusal for what has not; never proof. */
export function isWellFormedKey(key: string): boolean {
  const [, random, sum] = KEY_PATTERN.exec(key) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** What is stored of a key: its SHA-256. A key is random enough to need no salt and no slow hash. */
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
