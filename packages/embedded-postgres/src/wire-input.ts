// Requests before the startup message have no type byte (PostgreSQL, "Message Formats").
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSS_ENCRYPTION_REQUEST = 80877104;
const PROTOCOL_MAJOR = 3;

/** PostgreSQL's limit for a startup message, and for messages without client data. */
const MAX_SHORT_MESSAGE_BYTES = 10_000;
const MAX_LONG_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Maximum size of the messages up to a Sync or Query. */
const MAX_GROUP_BYTES = 2 * MAX_LONG_MESSAGE_BYTES;
/** Memory of a message in addition to its bytes. */
const MESSAGE_OVERHEAD_BYTES = 256;

/** Maximum sizes of the supported message types. An unknown type would end PostgreSQL. */
const MAX_BYTES_BY_TYPE = new Map(
  Object.entries({
    Q: MAX_LONG_MESSAGE_BYTES,
    P: MAX_LONG_MESSAGE_BYTES,
    B: MAX_LONG_MESSAGE_BYTES,
    E: MAX_SHORT_MESSAGE_BYTES,
    D: MAX_SHORT_MESSAGE_BYTES,
    C: MAX_SHORT_MESSAGE_BYTES,
    S: MAX_SHORT_MESSAGE_BYTES,
    H: MAX_SHORT_MESSAGE_BYTES,
    X: MAX_SHORT_MESSAGE_BYTES,
  }).map(([type, longest]) => [type.charCodeAt(0), longest]),
);
/** CopyData, CopyDone and CopyFail. Clients send them after a rejected COPY, and PostgreSQL ignores them. */
const COPY = new Set(['d', 'c', 'f'].map((type) => type.charCodeAt(0)));

const QUERY = 'Q'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Added after each statement. PostgreSQL ignores it, except after COPY FROM STDIN, which then fails with an error. Without it,
 * PostgreSQL would wait for data that PGlite cannot deliver, and end.
 */
const COPY_FAIL = message('f', 'the embedded database does not support COPY FROM STDIN\0');

/** A client violated the protocol or a size limit. */
export class ProtocolError extends Error {
  /** @param sqlState PostgreSQL, appendix A */
  constructor(
    readonly sqlState: string,
    text: string,
  ) {
    super(text);
  }
}

/** Splits the bytes of a connection into groups. A group contains the messages up to a Sync or Query, which run together. */
export class MessageReader {
  /** The `application_name` of the startup message. */
  applicationName = '';
  hasStarted = false;
  private chunks: Buffer[] = [];
  private received = 0;
  /** Bytes needed to read the next message. */
  private bytesNeeded = 0;
  private group: Buffer[] = [];
  private groupCost = 0;

  /** @throws ProtocolError */
  *groups(data: Buffer): Generator<Buffer | 'refuse-encryption' | 'start' | 'end'> {
    this.chunks.push(data);
    this.received += data.length;
    if (this.received < this.bytesNeeded) return;
    let rest = this.chunks.length === 1 ? data : Buffer.concat(this.chunks);
    for (let size = this.nextSize(rest); rest.length >= size; size = this.nextSize(rest)) {
      const next = rest.subarray(0, size);
      rest = rest.subarray(size);
      if (!this.hasStarted) yield this.start(next);
      else if (next[0] === TERMINATE) yield 'end';
      else if (this.add(next)) yield this.takeGroup();
    }
    this.chunks = [rest];
    this.received = rest.length;
    this.bytesNeeded = this.nextSize(rest);
  }

  /** Returns the size of the first message in `rest`, or of its header if the header is incomplete. */
  private nextSize(rest: Buffer): number {
    const header = this.hasStarted ? 5 : 8;
    if (rest.length < header) return header;
    const length = rest.readInt32BE(header === 5 ? 1 : 0); // includes itself, but not the type
    const smallest = this.hasStarted ? 4 : 8;
    if (length < smallest) throw new ProtocolError('08P01', 'invalid message length');
    const type = rest.readUInt8(0);
    const longest = !this.hasStarted
      ? MAX_SHORT_MESSAGE_BYTES
      : COPY.has(type)
        ? MAX_LONG_MESSAGE_BYTES
        : MAX_BYTES_BY_TYPE.get(type);
    if (!longest) throw new ProtocolError('08P01', `message type ${type} is not supported`);
    if (length > longest) throw new ProtocolError('54000', `a message can have at most ${longest} bytes`);
    return this.hasStarted ? length + 1 : length;
  }

  private start(next: Buffer): 'refuse-encryption' | 'start' | 'end' {
    const code = next.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) return 'refuse-encryption';
    if (code === CANCEL_REQUEST) return 'end';
    if (code >> 16 !== PROTOCOL_MAJOR) throw new ProtocolError('08P01', 'not the PostgreSQL protocol');
    this.hasStarted = true;
    const parameters = next.toString('utf8', 8).split('\0');
    for (let at = 0; at < parameters.length; at += 2) {
      if (parameters[at] === 'application_name') this.applicationName = parameters[at + 1] ?? '';
    }
    return 'start';
  }

  /** Adds a message to the group, and returns whether it completes the group. */
  private add(next: Buffer): boolean {
    const type = next.readUInt8(0);
    if (COPY.has(type)) return false;
    this.groupCost += next.length + MESSAGE_OVERHEAD_BYTES;
    if (this.groupCost > MAX_GROUP_BYTES) throw new ProtocolError('54000', 'too many bytes without a Sync');
    this.group.push(next);
    if (type === QUERY || type === EXECUTE) this.group.push(COPY_FAIL);
    return type === QUERY || type === SYNC;
  }

  private takeGroup(): Buffer {
    const group = Buffer.concat(this.group);
    this.group = [];
    this.groupCost = 0;
    return group;
  }
}

/** Encodes a message: type, length without the type, body. */
export function message(type: string, body: string): Buffer {
  const header = Buffer.from(`${type}\0\0\0\0`);
  header.writeInt32BE(Buffer.byteLength(body) + 4, type.length);
  return Buffer.concat([header, Buffer.from(body)]);
}
