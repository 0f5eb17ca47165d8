import { describe, expect, it } from 'vitest';
import { isWellFormedKey, generateKey } from '../../src/platform/auth/key-format.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** CRC-32 (ISO-HDLC) in base 62, implemented again to check the implementation in use. */
function base62Crc(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

describe('API keys', () => {
  it('consist of sp_, 40 random base62 characters and a checksum of 6', () => {
    const keys = Array.from({ length: 100 }, generateKey);
    for (const key of keys) {
      expect(key).toMatch(/^sp_[0-9A-Za-z]{46}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(100);
  });

  it('use CRC-32 in six base62 digits as the checksum', () => {
    const zeros = '0'.repeat(40);
    expect(isWellFormedKey(`sp_${zeros}${base62Crc(zeros)}`)).toBe(true);
    expect(isWellFormedKey(`sp_${zeros}000000`)).toBe(false);
    for (const text of ['-'.repeat(40), '0'.repeat(39), '0'.repeat(41), `${zeros}\n`])
      expect(isWellFormedKey(`sp_${text}${base62Crc(text)}`)).toBe(false);
  });

  it('start with no other prefix', () => {
    const token = generateKey().slice(3);
    for (const prefix of ['', 'pv_', 'SP_', 'sp-', 'sp', 'sp_ ', ' sp_'])
      expect(isWellFormedKey(prefix + token)).toBe(false);
    expect(isWellFormedKey(`sp_${token}`)).toBe(true);
  });

  it('leave only a SHA-256 and their first 8 characters in the database', async () => {
    const { key, id } = await server.key(tenant.organization_id);
    const rows = await server.sql<Record<string, unknown>[]>(
      `SELECT *, encode(sha256($2::text::bytea), 'hex') = encode(key_hash, 'hex') AS is_hash FROM api_keys WHERE id = $1`,
      [id, key],
    );
    expect(rows[0]).toMatchObject({ prefix: key.slice(0, 8), is_hash: true });
    expect(JSON.stringify(rows)).not.toContain(key.slice(8));
  });
});
