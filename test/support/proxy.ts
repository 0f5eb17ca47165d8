import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL that simulates networks and poolers. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** DATABASE_URL through the proxy. */
    readonly url: string,
  ) {}

  /**
   * @param url of PostgreSQL
   * @param startup replaces the first message of a connection; null rejects it, like PgBouncer by default
   */
  static async start(
    url: string,
    startup: (message: Buffer) => Buffer | null = (message) => message,
  ): Promise<DatabaseProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const through = new URL(url);
    through.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const proxy = new DatabaseProxy(server, through.href);
    server.on('connection', (near) => {
      if (proxy.isCut) return void near.resetAndDestroy();
      const far = connect(Number(port || 5432), hostname);
      proxy.join(near, far);
      proxy.join(far, near);
      near.once('data', (data) => {
        const message = startup(data);
        if (message) {
          far.write(message);
          near.pipe(far);
        } else {
          far.destroy();
          near.end(refusal('08P01', 'unsupported startup parameter: statement_timeout'));
        }
      });
      far.pipe(near);
      if (proxy.isStalled) proxy.stall();
    });
    return proxy;
  }

  private isStalled = false;
  private isCut = false;

  /** Closes all connections, and accepts no new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes one connection. */
  cutOne(): void {
    const [socket] = this.sockets;
    socket?.destroy();
  }

  /** The number of open connections. */
  get connections(): number {
    return this.sockets.size / 2; // each connection has two sockets
  }

  /** Accepts connections again. */
  mend(): void {
    this.isCut = false;
  }

  private join(one: Socket, other: Socket): void {
    this.sockets.add(one);
    one.on('error', () => undefined);
    one.once('close', () => {
      this.sockets.delete(one);
      other.destroy();
    });
  }

  /** Stops forwarding without closing a connection. */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Resumes forwarding. */
  resume(): void {
    this.isStalled = false;
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await once(this.server.close(), 'close');
  }
}

/** A rejected login, in the bytes that PostgreSQL sends. */
export function refusal(sqlstate: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlstate}\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
