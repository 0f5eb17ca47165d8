import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

// Requests that come before the startup message, without a type byte (PostgreSQL, "Message Formats").
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSS_ENCRYPTION_REQUEST = 80877104;

/** Messages after which PostgreSQL answers all that came since the last such one: Query and Sync. */
const ENDS_GROUP = new Set(['Q'.charCodeAt(0), 'S'.charCodeAt(0)]);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Serves PGlite by PostgreSQL's wire protocol, so that the ordinary `pg` driver speaks to it over a socket.
 *
 * PGlite has one session, which all connections share. What one connection sends up to a Sync or a Query is run in one
 * go, and while a transaction is open, only its connection is served: to each, the session looks like its own. (The
 * package pglite-socket runs message by message: the Bind of one connection then meets the Parse of another. Eight
 * connections with plain queries got each other's rows; `test/embedded-postgres.test.ts` holds that they do not here.)
 *
 * Not for COPY, and named prepared statements would meet those of other connections; nothing here uses either.
 */
export function createWireServer(database: PGlite): Server {
  const session = new Session(database);
  return createServer((socket) => {
    const input = new Input();
    socket.on('data', (data) => {
      try {
        for (const group of input.groups(data)) {
          if (group === 'refuse-encryption') socket.write('N');
          else if (group === 'end') socket.end();
          else session.run(socket, group);
        }
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => session.leave());
  });
}

/** Cuts what a connection sends into groups of messages that are to be run in one go. */
class Input {
  private started = false;
  private rest = Buffer.alloc(0);
  private group: Buffer[] = [];

  *groups(data: Buffer): Generator<Buffer | 'refuse-encryption' | 'end'> {
    this.rest = Buffer.concat([this.rest, data]);
    for (let message = this.take(); message; message = this.take()) {
      if (!this.started) {
        const code = message.readInt32BE(4);
        if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) {
          yield 'refuse-encryption';
        } else if (code === CANCEL_REQUEST) {
          yield 'end';
        } else {
          this.started = true;
          yield message;
        }
      } else if (message[0] === TERMINATE) {
        yield 'end';
      } else {
        this.group.push(message);
        if (!ENDS_GROUP.has(message.readUInt8(0))) continue;
        yield Buffer.concat(this.group);
        this.group = [];
      }
    }
  }

  /** The next whole message: a length that counts itself, behind a type byte once the connection has started. */
  private take(): Buffer | undefined {
    const lengthAt = this.started ? 1 : 0;
    const smallest = this.started ? 5 : 8;
    if (this.rest.length < smallest) return undefined;
    const size = lengthAt + this.rest.readInt32BE(lengthAt);
    if (size < smallest) throw new Error('not the PostgreSQL protocol');
    if (this.rest.length < size) return undefined;
    const message = this.rest.subarray(0, size);
    this.rest = this.rest.subarray(size);
    return message;
  }
}

/** The one session: runs one group at a time, and while a transaction is open only those of its connection. */
class Session {
  private readonly waiting: { socket: Socket; group: Buffer }[] = [];
  private inTransaction: Socket | undefined;
  private running = false;

  constructor(private readonly database: PGlite) {}

  run(socket: Socket, group: Buffer): void {
    this.waiting.push({ socket, group });
    void this.work();
  }

  /** A connection is gone: what it has not committed is rolled back, and what it still sent is not run. */
  leave(): void {
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (;;) {
      if (this.inTransaction?.destroyed) {
        // While the database is being closed this fails, and closing rolls back.
        await this.database.exec('ROLLBACK').catch(() => undefined);
        this.inTransaction = undefined;
      }
      const at = this.inTransaction
        ? this.waiting.findIndex(({ socket }) => socket === this.inTransaction)
        : 0;
      const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!next) break;
      if (!next.socket.destroyed) await this.answer(next.socket, next.group);
    }
    this.running = false;
  }

  private async answer(socket: Socket, group: Buffer): Promise<void> {
    try {
      const answer = await this.database.execProtocolRaw(group);
      if (!socket.destroyed) socket.write(answer);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined);
    }
    this.inTransaction = this.database.isInTransaction() ? socket : undefined;
  }
}
