// Requests that come before the startup message, without a type byte (PostgreSQL, "Message Formats").
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSS_ENCRYPTION_REQUEST = 80877104;
const PROTOCOL_MAJOR = 3;

/** The length that PostgreSQL allows a startup message, and each message that carries no data of the client. */
const SHORT = 10_000;
const LONG = 16 * 1024 * 1024;
/** What a connection may send before the Sync or Query that makes it run. */
const LONGEST_GROUP = 2 * LONG;
/** What a message costs in memory beside its bytes. */
const MESSAGE_COST = 256;

/** The messages that are served, with the bytes that each may have. PostgreSQL ends at a type that it does not know. */
const LONGEST = new Map(
  Object.entries({
    Q: LONG,
    P: LONG,
    B: LONG,
    E: SHORT,
    D: SHORT,
    C: SHORT,
    S: SHORT,
    H: SHORT,
    X: SHORT,
  }).map(([type, longest]) => [type.charCodeAt(0), longest]),
);
/** CopyData, CopyDone, CopyFail: what a client still sends after its COPY was refused. PostgreSQL ignores them. */
const COPY = new Set(['d', 'c', 'f'].map((type) => type.charCodeAt(0)));

const QUERY = 'Q'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Follows each statement: PostgreSQL ignores it, unless the statement was COPY FROM STDIN, which it makes an error.
 * Without, PostgreSQL would wait for data that PGlite cannot get, and end.
 */
const COPY_FAIL = message('f', 'the embedded database does not support COPY FROM STDIN\0');

/** What a client sent is not the protocol, or more than is allowed. */
export class ProtocolError extends Error {
  /** @param sqlState PostgreSQL, appendix A */
  constructor(
    readonly sqlState: string,
    text: string,
  ) {
    super(text);
  }
}

/** Cuts what a connection sends into groups of messages that are to be run in one go. */
export class Input {
  /** The `application_name` of the startup message. */
  applicationName = '';
  hasStarted = false;
  private chunks: Buffer[] = [];
  private received = 0;
  /** Bytes that must be there before it is worth to look again. */
  private wanted = 0;
  private group: Buffer[] = [];
  private groupCost = 0;

  /** @throws ProtocolError */
  *groups(data: Buffer): Generator<Buffer | 'refuse-encryption' | 'start' | 'end'> {
    this.chunks.push(data);
    this.received += data.length;
    if (this.received < this.wanted) return;
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
    this.wanted = this.nextSize(rest);
  }

  /** The size of the message that `rest` begins with, or of its header as long as that is incomplete. */
  private nextSize(rest: Buffer): number {
    const header = this.hasStarted ? 5 : 8;
    if (rest.length < header) return header;
    const length = rest.readInt32BE(header === 5 ? 1 : 0); // counts itself, but not the type
    const smallest = this.hasStarted ? 4 : 8;
    if (length < smallest) throw new ProtocolError('08P01', 'invalid message length');
    const type = rest.readUInt8(0);
    const longest = !this.hasStarted ? SHORT : COPY.has(type) ? LONG : LONGEST.get(type);
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
    this.groupCost += next.length + MESSAGE_COST;
    if (this.groupCost > LONGEST_GROUP) throw new ProtocolError('54000', 'too many bytes without a Sync');
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

/** A message: its type, the length of the rest, the rest. */
export function message(type: string, body: string): Buffer {
  const header = Buffer.from(`${type}\0\0\0\0`);
  header.writeInt32BE(Buffer.byteLength(body) + 4, type.length);
  return Buffer.concat([header, Buffer.from(body)]);
}
