const BYTES = 32;

/**
 * Returns the keys of `SECRET_KEY`: 32 bytes each, in hexadecimal or base64, separated by commas, the key in use first. Returns
 * undefined if one is malformed.
 */
export function parseSecretKeys(text: string): Buffer[] | undefined {
  if (text === '') return [];
  const keys = text.split(',').map((part) => {
    const key = part.trim();
    if (/^[0-9a-fA-F]{64}$/.test(key)) return Buffer.from(key, 'hex');
    return /^[A-Za-z0-9+/_-]{43}=?$/.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  });
  return keys.every(({ length }) => length === BYTES) ? keys : undefined;
}
