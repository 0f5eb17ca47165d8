import { connect, type Socket } from 'node:net';

/** A TCP connection of a client that writes and reads bytes, and what it has received so far. */
export class RawConnection {
  text = '';
  /** The status of each answer so far. */
  readonly statuses: number[] = [];
  /** Settles when the connection is closed: with undefined, or with the code of the error, such as `ECONNRESET`. */
  readonly closed: Promise<string | undefined>;
  readonly socket: Socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    let code: string | undefined;
    const line = /HTTP\/1\.1 (\d+) /g;
    this.socket.on('data', (data) => {
      this.text += data.toString('latin1');
      for (let seen = line.lastIndex; ; seen = line.lastIndex) {
        const [, status] = line.exec(this.text) ?? [];
        if (status === undefined) {
          line.lastIndex = seen;
          break;
        }
        this.statuses.push(Number(status));
      }
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve(code)));
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** Waits until so many answers have begun to arrive. */
  async answers(count: number): Promise<void> {
    let isClosed = false;
    void this.closed.then(() => (isClosed = true));
    while (this.statuses.length < count) {
      if (isClosed) throw new Error(`closed after ${this.statuses.length} answers`);
      await Promise.race([new Promise((resolve) => this.socket.once('data', resolve)), this.closed]);
    }
  }
}
