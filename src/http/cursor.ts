import crc32 from 'crc-32';

const VERSION = 1;
const BYTES = 45; // version 1, project 16, created_at 8, id 16, CRC-32 4
const LATEST_DATE = 8.64e15; // the last millisecond that a Date can hold (ECMA-262, section 21.4.1.1)

/** Where a page ended: the keyset of its last row. */
export interface Position {
  created_at: Date;
  id: string;
}

/**
 * The opaque cursor after `position` in a list of a project: base64url of version, project and position. It is no
 * secret and grants nothing; the CRC-32 only tells a mangled one.
 */
export function encodeCursor(projectId: string, position: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  writeUuid(bytes, projectId, 1);
  bytes.writeBigInt64BE(BigInt(position.created_at.getTime()), 17);
  writeUuid(bytes, position.id, 25);
  bytes.writeInt32BE(crc32.buf(bytes.subarray(0, 41)), 41);
  return bytes.toString('base64url');
}

/** The position in a cursor of this list, or null where it is malformed, or of another version or project. */
export function decodeCursor(cursor: string, projectId: string): Position | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips what is no base64url; encoding again shows it.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return null;
  if (bytes.readInt32BE(41) !== crc32.buf(bytes.subarray(0, 41))) return null;
  if (bytes.readUInt8(0) !== VERSION || readUuid(bytes, 1) !== projectId) return null;
  const time = Number(bytes.readBigInt64BE(17));
  if (time < 0 || time > LATEST_DATE) return null;
  return { created_at: new Date(time), id: readUuid(bytes, 25) };
}

function writeUuid(bytes: Buffer, uuid: string, offset: number): void {
  bytes.write(uuid.replaceAll('-', ''), offset, 'hex');
}

function readUuid(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
