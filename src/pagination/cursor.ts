import crc32 from 'crc-32';
import type { Position } from '../database/keyset.js';

const VERSION = 1;
const BYTES = 49; // version 1, name of the list 4, owner 16, created_at 8, id 16, CRC-32 4
const CHECKED = BYTES - 4;
const LATEST_DATE = 8.64e15; // the last millisecond that a Date can hold (ECMA-262, section 21.4.1.1)

/** What a list is of: which resource, and whose (a project, or an organization). Cursors hold in one list only. */
export interface List {
  name: string;
  owner_id: string;
}

/**
 * The opaque cursor after `position` in a list: base64url of version, list and position. It is no
 * secret and grants nothing; the CRC-32 only tells a mangled one.
 */
export function encodeCursor(list: List, position: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeInt32BE(crc32.str(list.name), 1);
  writeUuid(bytes, list.owner_id, 5);
  bytes.writeBigInt64BE(BigInt(position.created_at.getTime()), 21);
  writeUuid(bytes, position.id, 29);
  bytes.writeInt32BE(crc32.buf(bytes.subarray(0, CHECKED)), CHECKED);
  return bytes.toString('base64url');
}

/** Whether a text has the form of a cursor, of whatever list: length, alphabet, checksum, version. */
export function hasCursorForm(cursor: string): boolean {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips what is no base64url; encoding again shows it.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return false;
  if (bytes.readInt32BE(CHECKED) !== crc32.buf(bytes.subarray(0, CHECKED))) return false;
  const time = bytes.readBigInt64BE(21);
  return bytes.readUInt8(0) === VERSION && time >= 0 && time <= LATEST_DATE;
}

/** The position in a cursor of this list; null where it is malformed, or of another version or list. */
export function decodeCursor(cursor: string, list: List): Position | null {
  if (!hasCursorForm(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.readInt32BE(1) !== crc32.str(list.name) || readUuid(bytes, 5) !== list.owner_id) return null;
  return { created_at: new Date(Number(bytes.readBigInt64BE(21))), id: readUuid(bytes, 29) };
}

function writeUuid(bytes: Buffer, uuid: string, offset: number): void {
  bytes.write(uuid.replaceAll('-', ''), offset, 'hex');
}

function readUuid(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
