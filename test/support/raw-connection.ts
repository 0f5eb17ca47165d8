import { connect, type Socket } from 'node:net';

/** A TCP connection of a client that writes and reads bytes, and the text received so far. */
export class RawConnection {
  text = '';
  /** The status of each response so far. */
  readonly statuses: number[] = [];
  /** Settles when the connection is closed: with undefined, or with the code of the error, such as `ECONNRESET`. */
  readonly closed: Promise<string | undefined>;
  readonly socket: Socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    let code: string | undefined;
    let unmatched = '';
    this.socket.on('data', (data) => {
      const chunk = data.toString('latin1');
      this.text += chunk;
      unmatched += chunk;
      let end = unmatched.length - 'HTTP/1.1 200'.length;
      for (const found of unmatched.matchAll(/HTTP\/1\.1 (\d+) /g)) {
        this.statuses.push(Number(found[1]));
        end = Math.max(end, found.index + found[0].length);
      }
      unmatched = unmatched.slice(Math.max(end, 0));
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve(code)));
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** Waits until the given number of responses have begun to arrive. */
  async answers(count: number): Promise<void> {
    let isClosed = false;
    void this.closed.then(() => (isClosed = true));
    while (this.statuses.length < count) {
      if (isClosed) throw new Error(`closed after ${this.statuses.length} answers`);
      await Promise.race([new Promise((resolve) => this.socket.once('data', resolve)), this.closed]);
    }
  }
}

/**
 * Sends bytes on a separate connection. Returns the response when its body is complete, or when the server closes.
 */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const connection = new RawConnection(url).send(bytes);
  const { socket } = connection;
  socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer: ${connection.text}`)));
  socket.on('data', () => {
    const [head = '', body] = connection.text.split('\r\n\r\n');
    const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? [];
    if (body !== undefined && body.length >= Number(length)) socket.destroy();
  });
  const code = await connection.closed;
  if (code !== undefined) throw new Error(`${code}: ${connection.text}`);
  return connection.text;
}
