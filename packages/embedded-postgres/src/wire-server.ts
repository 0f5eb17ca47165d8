import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './engine.js';
import { MessageReader, message, ProtocolError } from './wire-input.js';
import { type Connection, SharedSession } from './wire-session.js';

const PROTOCOL_3_0 = '\0\x03\0\0';

/**
 * Serves PGlite over PostgreSQL's wire protocol, so that the `pg` driver can connect to a socket.
 *
 * PGlite has one session, which all connections share, see {@link SharedSession}. The messages of a connection up to a Sync or Query
 * run as one unit. (The package pglite-socket runs message by message, so the Bind of one connection can use the Parse of another.
 * Eight connections with plain queries received each other's rows. `test/connections.system.ts` checks that this does not happen here.)
 *
 * A protocol error closes only its connection. COPY FROM STDIN is not supported. All connections share named prepared statements,
 * cursors WITH HOLD and LISTEN, which end when any guest disconnects. Temporary tables end when another connection is served.
 */
export class WireServer {
  private readonly session: SharedSession;
  private readonly server = createServer((socket) => this.serve(socket));
  private readonly connections = new Set<Connection>();
  /** Response to every startup message, because the session has already started. */
  private greeting: Buffer = Buffer.alloc(0);

  /** @param applicationName `application_name` of the application's own connections, see {@link Connection} */
  constructor(
    private readonly engine: Engine,
    private readonly applicationName: string,
  ) {
    this.session = new SharedSession(engine, (connection, sqlState, text) =>
      this.cut(connection, sqlState, text),
    );
  }

  /** Listens on a Unix socket. */
  async listen(path: string): Promise<void> {
    await this.session.start();
    // A startup message has no type.
    this.greeting = await this.engine.run(
      message('', `${PROTOCOL_3_0}user\0postgres\0database\0postgres\0\0`),
    );
    this.server.listen(path);
    await once(this.server, 'listening');
  }

  /** Stops accepting connections. Waits up to `graceMs` ms for open connections, then closes them and rolls them back. */
  async close(graceMs: number): Promise<void> {
    this.server.close();
    const closed = once(this.server, 'close');
    await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
    for (const connection of this.connections) {
      connection.socket.destroy();
      this.session.leave(connection);
    }
    await closed;
    await this.session.whenIdle();
  }

  private serve(socket: Socket): void {
    const connection: Connection = {
      socket,
      isOwn: false,
      isGone: false,
      waiting: 0,
      hasRun: false,
      hasChangedSettings: false,
      settings: null,
    };
    this.connections.add(connection);
    const input = new MessageReader();
    socket.on('data', (data) => {
      try {
        for (const group of input.groups(data)) {
          if (group === 'refuse-encryption') socket.write('N');
          else if (group === 'end') socket.end();
          else if (group === 'start') {
            connection.isOwn = input.applicationName === this.applicationName;
            socket.write(this.greeting);
          } else this.session.run(connection, group);
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        // Before the startup message, the client may use another protocol and could not read an error.
        if (input.hasStarted) this.cut(connection, error.sqlState, error.message);
        else socket.destroy();
      }
    });
    socket.on('drain', () => this.session.wake());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.connections.delete(connection);
      this.session.leave(connection);
    });
  }

  /** Sends an error, and closes the connection. */
  private cut(connection: Connection, sqlState: string, text: string): void {
    connection.socket.write(message('E', `SFATAL\0VFATAL\0C${sqlState}\0M${text}\0\0`));
    connection.socket.destroy();
    this.session.leave(connection);
  }
}
