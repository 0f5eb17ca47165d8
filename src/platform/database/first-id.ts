import { v7 as uuidv7 } from 'uuid';

/**
 * Returns the lowest UUIDv7 of a time: all IDs that were created before are lower. Finds old rows by their primary key.
 * @param ms milliseconds since 1970
 */
export function firstIdAt(ms: number): string {
  return uuidv7({ msecs: ms, random: new Uint8Array(16), seq: 0 });
}

/** Returns the time of a UUIDv7, in milliseconds since 1970 (RFC 9562, section 5.7). */
export function timeOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
