import crc32 from 'crc-32';
import type { Position } from '../database/keyset.js';

const VERSION = 1;
const BYTES = 49; // version 1, hash of the list name 4, owner 16, created_at 8, ID 16, CRC-32 4
const CHECKSUM_OFFSET = BYTES - 4;
const LATEST_DATE = 8.64e15; // the maximum of a Date in milliseconds (ECMA-262, section 21.4.1.1)

/** A list: its resource and its owner (a project or an organization). A cursor is only valid for one list. */
export interface List {
  name: string;
  owner_id: string;
}

/**
 * A position in a list. Clients receive it as opaque text: base64url of version, list, position and checksum. It is not
 * secret and grants no access; the CRC-32 only detects damage.
 *
 *     const next_cursor = encodeCursor({ name: 'monitors', owner_id: project_id }, position);
 *     const cursor = Cursor.parse(next_cursor);
 */
export class Cursor {
  private constructor(
    private readonly list: { hash: number; owner_id: string },
    readonly position: Position,
  ) {}

  /** Decodes a cursor. Returns undefined for a wrong length, alphabet, checksum or version. Does not check the list. */
  static parse(text: string): Cursor | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // Node.js ignores invalid characters when decoding, so compare the encoded text.
    if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined;
    if (bytes.readInt32BE(CHECKSUM_OFFSET) !== crc32.buf(bytes.subarray(0, CHECKSUM_OFFSET)))
      return undefined;
    const time = bytes.readBigInt64BE(21);
    if (bytes.readUInt8(0) !== VERSION || time < 0 || time > LATEST_DATE) return undefined;
    const position = { created_at: new Date(Number(time)), id: readUuid(bytes, 29) };
    return new Cursor({ hash: bytes.readInt32BE(1), owner_id: readUuid(bytes, 5) }, position);
  }

  isOf({ name, owner_id }: List): boolean {
    return this.list.hash === crc32.str(name) && this.list.owner_id === owner_id;
  }
}

/** Encodes the cursor for the page after `position`. */
export function encodeCursor(list: List, position: Position): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeInt32BE(crc32.str(list.name), 1);
  writeUuid(bytes, list.owner_id, 5);
  bytes.writeBigInt64BE(BigInt(position.created_at.getTime()), 21);
  writeUuid(bytes, position.id, 29);
  bytes.writeInt32BE(crc32.buf(bytes.subarray(0, CHECKSUM_OFFSET)), CHECKSUM_OFFSET);
  return bytes.toString('base64url');
}

function writeUuid(bytes: Buffer, uuid: string, offset: number): void {
  bytes.write(uuid.replaceAll('-', ''), offset, 'hex');
}

function readUuid(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
