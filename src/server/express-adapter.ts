import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { Connections, MAX_HEAD_BYTES, WRITE_TIMEOUT_MS } from './connections.js';
import { etagOf, matchesIfNoneMatch } from './etag.js';
import { hasJsonText, withJsonText } from '../database/raw-json.js';
import { handleUnknownRoute } from './methods.js';
import { originForm } from './url.js';

/**
 * Characters of a body. What is shorter, node joins with the head, and sends as one piece; what is longer it would copy
 * thrice.
 */
const LONG = 4096;

/** Nest's Express adapter, on a server with our bounds. */
export class ServerExpressAdapter extends ExpressAdapter {
  readonly connections = new Connections((request, response) => {
    request.url = originForm(request.url ?? '/');
    this.getInstance<Express>()(request, response);
  });

  /** Sends what a handler has answered. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    const etag = etagOf(body);
    if (etag) {
      response.setHeader('ETag', etag);
      if (matchesIfNoneMatch(response.req, etag)) return response.status(304).end();
    }
    if (!hasJsonText(body)) return super.reply(response, body, status);
    // Not by Express's `send`, which does the same with more questions.
    const text = withJsonText(body);
    const content = text.length < LONG ? text : Buffer.from(text);
    if (status) response.status(status);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(content));
    return response.end(response.req.method === 'HEAD' ? undefined : content);
  }

  /** Nest's own handler throws a NotFoundException, which a handler may throw, too. */
  override setNotFoundHandler(): void {
    this.use(handleUnknownRoute);
  }

  override initHttpServer(): void {
    const options: ServerOptions<typeof IncomingMessage, typeof ServerResponse> = {
      ...prototypesOf(this.getInstance<Express>()),
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      // Longer than the idle time of the usual load balancers, which must be the ones to close first.
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false, // node would answer by itself, without a body: see requireValidHead
    };
    const server = createServer(options, (request, response) => this.connections.receive(request, response));
    server.maxHeadersCount = 0; // all of them: node drops those over 1,000 in silence, and 16 KiB bound them
    server.setTimeout(WRITE_TIMEOUT_MS, (socket) => this.connections.timeOut(socket));
    // Node would refuse an unknown `Expect` by itself, without a body; it may also be ignored (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }
}

/**
 * Classes for node to make requests and answers of, that have all that Express's have. Express gives both the prototypes
 * `app.request` and `app.response` at each request; so these become the classes' own, and nothing changes any more. An
 * object whose prototype changes is a new kind of object to V8, with which all the code that meets it is slow: a request
 * takes 0.6 times the processor time without (docs/performance.md).
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
