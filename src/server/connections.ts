import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of the request line and the headers, at the most: node's own bound, here by name. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Time without progress after which an unread answer is given up; node notices it after up to twice as long. */
export const WRITE_TIMEOUT_MS = 30_000;

const LINGER_MS = 2_000;
const LINGER_BYTES = 8 * 1024 * 1024; // more than the largest body that any operation takes

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const replacedByError = new WeakSet<ServerResponse>();

/** Whether an error answer took the place of a response, because the body of its request broke off or was malformed. */
export function wasReplacedByError(response: ServerResponse): boolean {
  return replacedByError.has(response);
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * The requests of each connection, one at a time and in their order. Node emits every request that a chunk of 64 KiB
 * holds at once, so that a single connection could start thousands of them.
 */
export class Connections {
  private readonly connections = new WeakMap<Socket, Connection>();

  constructor(private readonly serve: Serve) {}

  /** Serves a request when those before it on its connection are answered; drops it if the client leaves first. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    this.of(request.socket).receive({ request, response });
  }

  /**
   * Ends a connection on which something other than a valid request came: the requests before it get their answers
   * first. A body that breaks off or is malformed belongs to the last request, so the error takes the place of its answer.
   * @param answer makes the bytes of the error answer; not called if that request already has an answer
   */
  fail(socket: Socket, answer: () => string): void {
    this.of(socket).fail(answer);
  }

  /**
   * Closes a connection on which nothing was read or written for the server's timeout, unless a request is being worked on.
   * An answer of which the client takes a part now and then is progress: node looks at its write queue.
   */
  timeOut(socket: Socket): void {
    this.of(socket).timeOut();
  }

  private of(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection = new Connection(socket, this.serve);
    this.connections.set(socket, connection);
    return connection;
  }
}

class Connection {
  private current: Exchange | undefined;
  private latest: Exchange | undefined;
  private readonly waiting: Exchange[] = [];
  private finalResponse: (() => string) | undefined;
  private maxBytesRead = Infinity;

  constructor(
    private readonly socket: Socket,
    private readonly serve: Serve,
  ) {
    // Node resumes the socket after each message; while requests wait, no more of them are read.
    socket.on('resume', () => {
      if (this.waiting.length > 0) socket.pause();
    });
  }

  receive(exchange: Exchange): void {
    if (this.finalResponse) return; // the connection ends
    this.latest = exchange;
    if (this.current) {
      this.waiting.push(exchange);
      this.socket.pause();
    } else {
      this.current = exchange;
      this.start(exchange);
    }
  }

  fail(answer: () => string): void {
    if (this.finalResponse) {
      if (this.socket.bytesRead > this.maxBytesRead) this.socket.destroy();
      return;
    }
    this.finalResponse = answer;
    const { latest } = this;
    if (latest && !latest.request.complete) {
      if (latest.response.headersSent) this.finalResponse = () => '';
      else {
        replacedByError.add(latest.response);
        if (latest === this.current) this.current = undefined;
        else this.waiting.pop();
      }
    }
    if (!this.current) this.close();
  }

  timeOut(): void {
    if (!this.current || this.socket.writableLength > 0) this.socket.destroy();
  }

  private start(exchange: Exchange): void {
    if (this.current !== exchange || this.socket.destroyed) return;
    exchange.response.once('close', () => this.finish(exchange));
    this.serve(exchange.request, exchange.response);
  }

  private finish(exchange: Exchange): void {
    if (this.current !== exchange) return;
    const next = this.socket.destroyed ? undefined : this.waiting.shift();
    this.current = next;
    if (next) {
      if (this.waiting.length === 0) this.socket.resume();
      setImmediate(() => this.start(next)); // other connections have their turn in between
    } else if (this.finalResponse) {
      this.close();
    }
  }

  /**
   * Sends the last answer, then reads and discards what still comes, until the client closes, too: closing with unread data
   * would reset the connection, and the client might lose the answer (RFC 9112, section 9.6).
   */
  private close(): void {
    const { socket } = this;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    this.maxBytesRead = socket.bytesRead + LINGER_BYTES;
    socket.end(this.finalResponse?.() ?? '');
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }
}
