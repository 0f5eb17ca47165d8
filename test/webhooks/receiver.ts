import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/server.js';

/** A request that a receiver has got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly as received. */
  text: string;
  at: number;
}

/** A body in the format `standard`. */
export interface StandardBody {
  type: string;
  timestamp: string;
  data: { id: string } & Record<string, unknown>;
  event: { id: string; resource_id: string; data: Record<string, unknown> };
}

/** A receiver of webhooks on a local port. The path of its URL selects the endpoint in tests. */
export class Receiver {
  readonly received: Received[] = [];
  /** Responds to a request. */
  respond = Receiver.succeed;
  private server!: Server;

  static succeed(this: void, _request: Received, response: ServerResponse): void {
    response.writeHead(204).end();
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const received = { path: request.url ?? '', headers: request.headers, text, at: performance.now() };
        receiver.received.push(received);
        receiver.respond(received, response);
      });
    });
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Returns the URL of a path. */
  url(path: string): string {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}${path}`;
  }

  /** Returns the requests to a path so far. */
  at(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Waits for a number of requests to a path, and returns their bodies. */
  async bodies(path: string, count: number): Promise<StandardBody[]> {
    await until(async () => this.at(path).length >= count);
    return this.at(path).map(({ text }): StandardBody => JSON.parse(text));
  }

  /** Returns the types of the events that a path has got, in the order of their times. */
  types(path: string): string[] {
    const bodies = this.at(path).map(({ text }): StandardBody => JSON.parse(text));
    return bodies.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)).map(({ type }) => type);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
