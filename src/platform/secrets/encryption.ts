import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** First byte of the format below. */
const VERSION = 1;
const KEY_ID_BYTES = 8;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** AES-256 in Galois/Counter Mode. A random nonce is safe for 2^32 texts per key and purpose. */
const ALGORITHM = 'aes-256-gcm';

/**
 * Encrypts a text with a key of the instance. The result is the version, the ID of the key, a random nonce, the ciphertext and
 * the authentication tag, which also covers version and ID.
 */
export function encryptText(key: Buffer, purpose: string, text: string): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), keyIdOf(key)]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, derivedKey(key, purpose), nonce).setAAD(header);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/**
 * Decrypts a result of {@link encryptText} with that one of the keys that its ID identifies.
 * @throws Error if none of the keys has encrypted it, or if it was changed or encrypted for another purpose
 */
export function decryptText(keys: readonly Buffer[], purpose: string, bytes: Buffer): string {
  if (bytes.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION)
    throw new Error('the value is not encrypted in a known format');
  const header = bytes.subarray(0, HEADER_BYTES);
  const key = keys.find((one) => keyIdOf(one).equals(header.subarray(1)));
  if (!key)
    throw new Error(
      'the instance does not have the key that encrypted the value: restore the table `secrets`, or add the former key to SECRET_KEY',
    );
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, derivedKey(key, purpose), nonce)
    .setAAD(header)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const ciphertext = bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('the encrypted value was changed, or has another purpose');
  }
}

/** The ID of a key, and the keys that are derived from it, by purpose. */
interface Derived {
  id: Buffer;
  keys: Map<string, Buffer>;
}

/** Deriving takes as long as decrypting three texts, and a batch of webhooks decrypts the secret of each endpoint. */
const derived = new WeakMap<Buffer, Derived>();

function derivedOf(key: Buffer): Derived {
  let found = derived.get(key);
  if (!found) {
    const id = createHmac('sha256', key).update('key id').digest().subarray(0, KEY_ID_BYTES);
    found = { id, keys: new Map() };
    derived.set(key, found);
  }
  return found;
}

/** @param purpose one of a few constants */
function derivedKey(key: Buffer, purpose: string): Buffer {
  const { keys } = derivedOf(key);
  let found = keys.get(purpose);
  if (!found) {
    found = Buffer.from(hkdfSync('sha256', key, '', `encrypt\0${purpose}`, KEY_BYTES));
    keys.set(purpose, found);
  }
  return found;
}

/** Identifies a key without revealing it, even where it is a part of a list that changes. */
const keyIdOf = (key: Buffer): Buffer => derivedOf(key).id;
