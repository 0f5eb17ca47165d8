import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';

interface Value {
  stringValue?: string;
  intValue?: number | string;
}

/** A span in the JSON format of OTLP. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Value }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: CollectedSpan[] }[];
  }[];
}

/** An OpenTelemetry collector that stores the data it receives, by OTLP over HTTP with JSON. */
export class Collector {
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.receive(request, response));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    const body = await text(request);
    if (request.url === '/v1/traces') this.bodies.push(body);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private get exports(): Export[] {
    return this.bodies.map((body) => JSON.parse(body));
  }

  get spans(): CollectedSpan[] {
    return this.exports.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  /** The resource attributes of the service. */
  get resource(): Record<string, string | number | undefined> {
    return attributesOf(this.exports[0]?.resourceSpans[0]?.resource ?? { attributes: [] });
  }
}

export function attributesOf({
  attributes,
}: Pick<CollectedSpan, 'attributes'>): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
