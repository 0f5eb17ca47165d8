const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Bytes of an escaped UTF-16 code unit: `\u3042`. */
const ESCAPE_BYTES = 6;

/**
 * Maximum size of JSON in relation to the same JSON without `\u` escapes: an ASCII character takes one byte instead of
 * {@link ESCAPE_BYTES}. A character beyond U+FFFF takes 4 bytes or two escapes.
 */
export const MAX_ESCAPE_RATIO = ESCAPE_BYTES;

/**
 * Counts the bytes that JSON would have without `\u` escapes, so that a limit means the same for every encoding of a text. Takes
 * the JSON in chunks. JSON does not need to be valid.
 */
export class JsonSize {
  private size = 0;
  /** Bytes of the current escape that have been read. */
  private read = 0;
  /** First three digits of the current escape. */
  private digits = 0;

  /** Adds the next chunk, and returns the size until its end. */
  add(chunk: Uint8Array): number {
    let at = 0;
    for (;;) {
      if (this.read === 0) at = chunk.indexOf(BACKSLASH, at);
      const byte = at < 0 ? undefined : chunk[at++];
      if (byte === undefined) return (this.size += chunk.length);
      if (this.read > 1) this.addDigit(byte);
      else if (this.read === 0) this.read = 1;
      else {
        // The second byte of `\\` begins no escape.
        this.read = byte === LETTER_U ? 2 : 0;
        this.digits = 0;
      }
    }
  }

  private addDigit(byte: number): void {
    this.read++;
    if (this.read < ESCAPE_BYTES) this.digits = this.digits * 16 + valueOf(byte);
    else {
      this.size -= ESCAPE_BYTES - utf8Bytes(this.digits);
      this.read = 0;
    }
  }
}

/** Returns the value of a hexadecimal digit. */
function valueOf(byte: number): number {
  return byte <= 0x39 ? byte & 0xf : (byte & 0xf) + 9;
}

/**
 * Returns the UTF-8 bytes of a code unit. Half of a surrogate pair has half of its four bytes.
 * @param digits the code unit without its last digit
 */
function utf8Bytes(digits: number): number {
  if (digits < 0x008) return 1;
  if (digits < 0x080) return 2;
  return digits >= 0xd80 && digits < 0xe00 ? 2 : 3;
}
