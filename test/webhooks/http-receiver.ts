import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request that a receiver has got. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly as received. */
  body: string;
  /** Time of `performance.now()`. */
  at: number;
}

/** Responds to a request. It can also use `response.socket` directly. */
export type Respond = (response: ServerResponse, request: Received) => unknown;

interface ReceiverOptions {
  /** Certificate and key. Without them, the receiver uses `http:`. */
  tls?: { cert: string; key: string };
  address?: string;
  port?: number;
}

/** A webhook endpoint on 127.0.0.1. */
export class Receiver {
  readonly requests: Received[] = [];
  /** Number of connections so far, and those that are open. */
  connections = 0;
  readonly open = new Set<Socket>();
  respond: Respond = (response) => response.end('ok');

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly protocol: string,
  ) {}

  static async start({ tls, address = '127.0.0.1', port = 0 }: ReceiverOptions = {}): Promise<Receiver> {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = {
          method,
          path: url,
          headers,
          body: Buffer.concat(chunks).toString(),
          at: performance.now(),
        };
        receiver.requests.push(received);
        receiver.respond(response, received);
      });
    };
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    const receiver = new Receiver(server, tls ? 'https:' : 'http:');
    server.keepAliveTimeout = 0; // as long as the client wants
    server.on('connection', (socket: Socket) => {
      receiver.connections += 1;
      receiver.open.add(socket);
      socket.once('close', () => receiver.open.delete(socket));
      socket.on('error', () => undefined);
    });
    await once(server.listen(port, address), 'listening');
    return receiver;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Returns its URL with another host name, which a DNS server resolves. */
  url(host = '127.0.0.1', path = '/'): string {
    return `${this.protocol}//${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await once(this.server, 'close');
  }
}
