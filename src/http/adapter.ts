import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { hasCurrentVersion } from './answers.js';
import { MAX_HEAD_BYTES } from './connections.js';
import { hasJsonText, withJsonText } from './json-text.js';
import { originForm } from './url.js';

const LONG = 4096;

/** Nest's Express adapter, on a server with our bounds. */
export class HttpAdapter extends ExpressAdapter {
  /** Sends what a handler has answered. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (hasCurrentVersion(response, body)) return response.status(304).end();
    if (!hasJsonText(body)) return super.reply(response, body, status);
    // Not by Express's `send`, which does the same with more questions.
    const text = withJsonText(body);
    // What is short, node joins with the head, and sends it as one piece. A list it would copy thrice.
    const content = text.length < LONG ? text : Buffer.from(text);
    if (status) response.status(status);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(content));
    return response.end(response.req.method === 'HEAD' ? undefined : content);
  }

  override initHttpServer(): void {
    const serve = this.getInstance<Express>();
    const options: ServerOptions<typeof IncomingMessage, typeof ServerResponse> = {
      ...prototypesOf(serve),
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      // Longer than the idle time of the usual load balancers, which must be the ones to close first.
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false, // node would answer by itself, without a body: see requireHost
    };
    const server = createServer(options, (request, response) => {
      request.url = originForm(request.url ?? '/');
      serve(request, response);
    });
    server.maxHeadersCount = 0; // all of them: node drops those over 1,000 in silence, and 16 KiB bound them
    // Node would refuse an unknown `Expect` by itself, without a body; it may also be ignored (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }
}

/**
 * The classes of which node makes requests and answers, with the prototypes that Express gives to both at each request.
 * So they have them already: an object whose prototype changes is a new kind of object to V8, with which all the code that
 * meets it is slow. A request takes 0.6 times the processor time (docs/performance.md).
 */
function prototypesOf(serve: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(ExpressRequest.prototype, serve.request);
  Object.setPrototypeOf(ExpressResponse.prototype, serve.response);
  Object.assign(serve, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
