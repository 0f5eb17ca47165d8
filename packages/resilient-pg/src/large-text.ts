import { EventEmitter } from 'node:events';
import { Client, type ClientConfig, type Connection, type CustomTypesConfig, types } from 'pg';
import { pieces } from '@status-pages/fair-admission';

/** Minimum size of rows that are not decoded. Also the maximum size of one socket read. */
const LARGE_BYTES = 64 * 1024;
/** Bytes that a connection reads per iteration of the event loop. Without pauses, each connection would read 2 MiB. */
const PAUSE_BYTES = 256 * 1024;

const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);
const TEXT = types.builtins.TEXT;
/** Types whose parsers begin with `String(value)` or `JSON.parse(value)`. */
const KEPT: ReadonlySet<number> = new Set([TEXT, types.builtins.JSON, types.builtins.JSONB]);

/**
 * A large value as received from the socket. Decoding 5 MB and encoding them again would take 90 ms, but sending the bytes takes 5 ms.
 * The parsers of `pg` convert it to a string.
 */
export class LargeText {
  /** Number of bytes. */
  readonly length: number;

  constructor(readonly parts: Buffer[]) {
    this.length = parts.reduce((sum, { length }) => sum + length, 0);
  }

  toString(): string {
    return Buffer.concat(this.parts).toString();
  }
}

/** Returns the bytes of a text. */
export function partsOf(text: string | LargeText): Buffer[] {
  return typeof text === 'string' ? [Buffer.from(text)] : text.parts;
}

const same = (value: unknown) => value;

/** Type parsers of statements that return large texts as {@link LargeText} instead of strings. */
export const keepLargeText: CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === TEXT ? same : types.getTypeParser(type, format),
};

interface Field {
  dataTypeID: number;
}

declare module 'pg' {
  interface Connection {
    /** Parses the stream, and emits each message. */
    attachListeners(stream: EventEmitter): void;
  }
}

/** A `pg` client that receives large texts as {@link LargeText}, if the statement has the matching type parsers. */
export class LargeTextClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this;
    const parse = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream: NodeJS.ReadableStream) => parse(takeLargeRows(stream, connection));
  }
}

/**
 * Extracts large rows from the stream of PostgreSQL, and emits them on the connection. `pg` would copy and decode each as a whole,
 * in one iteration of the event loop.
 * @returns the remaining messages, for the parser of `pg`
 */
function takeLargeRows(stream: NodeJS.ReadableStream, connection: Connection): EventEmitter {
  const rest = new EventEmitter();
  const splitter = new Splitter(connection, rest);
  let unpaused = 0;
  stream.on('data', (chunk: Buffer) => {
    splitter.push(chunk);
    unpaused += chunk.length;
    if (unpaused < PAUSE_BYTES) return;
    unpaused = 0;
    stream.pause();
    pieces.run(() => stream.resume());
  });
  stream.on('end', () => rest.emit('end'));
  return rest;
}

/** Splits the byte stream into messages (PostgreSQL, "Message Formats"): type, length without the type, body. */
class Splitter {
  /** Start of an incomplete header. */
  private header: Buffer | undefined;
  /** Missing bytes of the current message. */
  private missing = 0;
  /** Received parts of a large row's body. */
  private row: Buffer[] | undefined;
  private fields: Field[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly rest: EventEmitter,
  ) {
    connection.on('rowDescription', (message: { fields: Field[] }) => (this.fields = message.fields));
  }

  push(bytes: Buffer): void {
    const chunk = this.header ? Buffer.concat([this.header, bytes]) : bytes;
    this.header = undefined;
    let start = 0; // of the bytes not yet passed to pg's parser
    let at = 0;
    while (at < chunk.length) {
      if (this.missing === 0) {
        if (chunk.length - at < HEADER_BYTES) {
          this.header = chunk.subarray(at);
          break;
        }
        const body = chunk.readUInt32BE(at + 1) - 4;
        if (chunk[at] === DATA_ROW && body >= LARGE_BYTES) {
          this.pass(chunk.subarray(start, at));
          start = at += HEADER_BYTES;
          this.row = [];
        } else at += HEADER_BYTES;
        this.missing = body;
      }
      const end = Math.min(chunk.length, at + this.missing);
      this.missing -= end - at;
      if (this.row) {
        this.row.push(chunk.subarray(at, end));
        start = end;
        if (this.missing === 0) this.emitRow(this.row);
      }
      at = end;
    }
    this.pass(chunk.subarray(start, at));
  }

  private pass(bytes: Buffer): void {
    if (bytes.length > 0) this.rest.emit('data', bytes);
  }

  private emitRow(parts: Buffer[]): void {
    this.row = undefined;
    const reader = new PartsReader(parts);
    const count = reader.take(2).readUInt16BE();
    const fields = Array.from({ length: count }, (_, index) => {
      const length = reader.take(4).readInt32BE();
      if (length < 0) return null;
      const isKept = length >= LARGE_BYTES && KEPT.has(this.fields[index]?.dataTypeID ?? 0);
      return isKept ? new LargeText(reader.takeParts(length)) : reader.take(length).toString();
    });
    this.connection.emit('dataRow', { name: 'dataRow', fields });
  }
}

/** Reads bytes that are split into several parts. */
class PartsReader {
  private part = 0;
  private at = 0;

  constructor(private readonly parts: Buffer[]) {}

  take(length: number): Buffer {
    const taken = this.takeParts(length);
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  }

  takeParts(length: number): Buffer[] {
    const taken: Buffer[] = [];
    for (let left = length; left > 0;) {
      const part = this.parts[this.part];
      if (!part) break;
      const piece = part.subarray(this.at, this.at + left);
      if (piece.length > 0) taken.push(piece);
      left -= piece.length;
      this.at += piece.length;
      if (this.at < part.length) continue;
      this.part += 1;
      this.at = 0;
    }
    return taken;
  }
}
