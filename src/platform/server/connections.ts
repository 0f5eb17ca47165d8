import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dropClient, pieces } from '@status-pages/fair-admission';

/** Maximum size of the request line and headers: the default of Node.js. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Time after which a response that the client does not read is aborted. Node.js can take twice as long to notice. */
export const WRITE_TIMEOUT_MS = 30_000;

/** Maximum number of open connections. An idle connection uses 15 kB. */
const MAX_CONNECTIONS = 10_000;

const LINGER_MS = 2_000;
const LINGER_BYTES = 8 * 1024 * 1024; // more than the largest body that an operation accepts

const replacedByError = new WeakSet<ServerResponse>();

/** Returns whether an error response replaced this response, because the body of its request was incomplete or malformed. */
export function wasReplacedByError(response: ServerResponse): boolean {
  return replacedByError.has(response);
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Serves the requests of each connection one at a time and in order. Node.js emits all pipelined requests in a chunk of 64 KiB
 * together, so one connection could start thousands of them.
 */
export class Connections {
  private readonly connections = new WeakMap<Socket, Connection>();
  /** Connections without a request in progress, in the order in which they became idle. */
  private readonly idle = new Set<Socket>();
  private open = 0;

  constructor(
    private readonly serve: RequestListener,
    private readonly maximum = MAX_CONNECTIONS,
  ) {}

  /**
   * Counts a new connection. Above the maximum, closes the connection that has been idle for the longest time, or the new one.
   */
  accept(socket: Socket): void {
    pieces.accepted();
    this.open += 1;
    socket.once('close', () => {
      this.open -= 1;
      this.idle.delete(socket);
    });
    if (this.open > this.maximum) {
      const [longestIdle = socket] = this.idle;
      this.idle.delete(longestIdle);
      longestIdle.destroy();
    }
    if (!socket.destroyed) this.idle.add(socket);
  }

  /** Serves a request after the earlier ones on its connection; drops it if the client disconnects first. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    this.of(request.socket).receive({ request, response });
  }

  /**
   * Ends a connection with an error response, after the responses to earlier requests. If the body of the last request is
   * incomplete or malformed, the error replaces the response to that request.
   * @param createResponse returns the error response; not called if the last request already has a response
   */
  fail(socket: Socket, createResponse: () => string): void {
    this.of(socket).fail(createResponse);
  }

  /**
   * Closes a connection without reads or writes during the server's timeout, unless a request is in progress. A client that
   * reads slowly makes progress, because Node.js checks the write queue.
   */
  timeOut(socket: Socket): void {
    this.of(socket).timeOut();
  }

  private of(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection = new Connection(socket, this.serve, this.idle);
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
    private readonly serve: RequestListener,
    private readonly idle: Set<Socket>,
  ) {
    // Node.js resumes the socket after each message. Read no more requests while some are waiting.
    socket.on('resume', () => {
      if (this.waiting.length > 0) socket.pause();
    });
  }

  receive(exchange: Exchange): void {
    if (this.finalResponse) return; // the connection is closing
    this.latest = exchange;
    if (this.current) {
      this.waiting.push(exchange);
      this.socket.pause();
    } else {
      this.current = exchange;
      this.idle.delete(this.socket);
      this.start(exchange);
    }
  }

  fail(createResponse: () => string): void {
    if (this.finalResponse) {
      if (this.socket.bytesRead > this.maxBytesRead) this.socket.destroy();
      return;
    }
    this.finalResponse = createResponse;
    const { latest } = this;
    if (latest && !latest.request.complete) {
      if (latest.response.headersSent) this.finalResponse = () => '';
      else {
        replacedByError.add(latest.response);
        dropClient(latest.request, latest.response); // its response emits no event before the connection is closed
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
    if (!next && !this.socket.destroyed) this.idle.add(this.socket);
    if (next) {
      if (this.waiting.length === 0) this.socket.resume();
      setImmediate(() => this.start(next)); // lets other connections run in between
    } else if (this.finalResponse) {
      this.close();
    }
  }

  /**
   * Sends the final response, then discards input until the client closes (lingering close, RFC 9112, section 9.6).
   * Closing with unread data would reset the connection, and the client could lose the response.
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
