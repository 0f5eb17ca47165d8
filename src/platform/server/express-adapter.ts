import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { leaveTurn } from '@status-pages/fair-admission';
import type { Express, Response } from 'express';
import { Connections, MAX_HEAD_BYTES, WRITE_TIMEOUT_MS } from './connections.js';
import { etagOf, matchesIfNoneMatch } from './etag.js';
import { LargeText } from '@status-pages/resilient-pg';
import { hasJsonText, withJsonText, withLargeText } from '../database/raw-json.js';
import { Problem } from '../problems/problem.js';
import { handleUnknownRoute } from './methods.js';
import type { AnyRequest } from './request-end.js';
import { findHeaderError } from './request-headers.js';
import { sendParts } from './send-parts.js';
import { StoredResponse } from './stored-response.js';
import type { Unread, UnreadBytes } from './unread-bytes.js';
import { originForm } from './url.js';

/**
 * Length in characters from which a body is sent separately. Node.js joins a shorter string with the headers into one packet,
 * and copies a longer one three times.
 */
const LONG = 4096;

/**
 * Connections that the kernel queues until they are accepted. With the 511 of Node.js, it drops some during an overload, and
 * their clients retry after 1, 3 and 7 seconds. Linux allows 4,096 (`net.core.somaxconn`).
 */
const BACKLOG = 4_096;

/** Nest's Express adapter, on an HTTP server with bounded headers, times and connections. */
export class ServerExpressAdapter extends ExpressAdapter {
  /** Finds the domain of a request, and rewrites its URL, before everything else. */
  locate: (request: AnyRequest) => void = () => undefined;

  /** Handles a request before Express. Returns false if it did not respond. */
  respondFirst: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  /** Waits for a slot, then calls `serve`, or rejects the request. */
  admit: (request: IncomingMessage, response: ServerResponse, serve: () => void) => void = (
    _request,
    _response,
    serve,
  ) => serve();

  /** Bounds the large responses in memory. */
  unread: UnreadBytes | undefined;

  /** Called first for every request, for tracing. */
  received: ((request: AnyRequest, response: ServerResponse) => void) | undefined;

  /** Wraps the handling of an admitted request, so that it runs in its asynchronous context. */
  enter: (request: AnyRequest, serve: () => void) => void = (_request, serve) => serve();

  readonly connections = new Connections((request: AnyRequest, response) => {
    request.started_at = performance.now();
    this.locate(request);
    this.received?.(request, response);
    if (this.respondFirst(request, response)) return;
    this.admit(request, response, () => {
      request.url = originForm(request.url ?? '/');
      this.enter(request, () => this.getInstance<Express>()(request, response));
    });
  });

  /** Sends the result of a handler, or of its dry run. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    const { dry_run } = response.req;
    if (!dry_run) return this.replyWith(response, body, status);
    return dry_run.end(body).then((described) => this.replyWith(response, described, status));
  }

  /** Sends a body, or 304 if the client already has it. */
  private replyWith(response: Response, body: unknown, status?: number): unknown {
    if (body instanceof StoredResponse) return body.send(response);
    const etag = etagOf(body);
    if (etag) {
      response.setHeader('ETag', etag);
      if (matchesIfNoneMatch(response.req, etag)) return response.status(304).end();
    }
    if (!hasJsonText(body)) return super.reply(response, body, status);
    if (body.data.text instanceof LargeText) return this.replyLarge(response, body, body.data.text, status);
    // Faster than Express's `send`, with the same result.
    const text = withJsonText(body);
    const content = text.length < LONG ? text : Buffer.from(text);
    if (status) response.status(status);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(content));
    return response.end(response.req.method === 'HEAD' ? undefined : content);
  }

  /**
   * Sends a large text like {@link reply}. If there is no memory left, a read fails with 503. The response of a write
   * is sent anyway, because the write is already committed.
   */
  private replyLarge(response: Response, body: { data: unknown }, text: LargeText, status?: number): void {
    const { req } = response;
    const parts = withLargeText(text, body);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const unread = req.method === 'GET' ? this.reserve(response, length) : undefined;
    leaveTurn(req);
    if (status) response.status(status);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', length);
    if (unread) sendParts(response, parts, unread);
    else response.end(req.method === 'HEAD' ? undefined : Buffer.concat(parts));
  }

  private reserve(response: Response, length: number): Unread | undefined {
    try {
      return this.unread?.reserve(response.req, response, length);
    } catch (error) {
      response.removeHeader('ETag'); // ETag of the resource, not of the error
      throw error;
    }
  }

  /** Replaces Nest's handler, which throws a NotFoundException that cannot be distinguished from one that a controller throws. */
  override setNotFoundHandler(): void {
    this.use(handleUnknownRoute);
  }

  /** Maps errors that reach Express, such as router errors for a path, and file server errors for a range or a condition. */
  override mapException(error: unknown): unknown {
    const mapped = super.mapException(error);
    if (mapped === error || !(mapped instanceof HttpException)) return mapped;
    switch (mapped.getStatus()) {
      case 400:
      case 416:
        return new Problem('malformed_request');
      case 412:
        return new Problem('precondition_failed');
      default:
        return mapped;
    }
  }

  override listen(port: string | number, callback?: () => void): Server;
  override listen(port: string | number, hostname: string, callback?: () => void): Server;
  /** Listens with a longer queue of connections that wait to be accepted. */
  override listen(port: string | number, host?: string | (() => void), callback?: () => void): Server {
    const address = { port: Number(port), backlog: BACKLOG };
    return typeof host === 'string'
      ? this.getHttpServer().listen({ ...address, host }, callback)
      : this.getHttpServer().listen(address, host ?? callback);
  }

  override initHttpServer(): void {
    const options: ServerOptions<typeof IncomingMessage, typeof ServerResponse> = {
      ...prototypesOf(this.getInstance<Express>()),
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      // Longer than the idle timeout of common load balancers, so that they close connections first.
      keepAliveTimeout: 65_000,
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false, // Node.js would respond without a body, see findHeaderError
    };
    const server = createServer(options, (request, response) => {
      const error = findHeaderError(request);
      if (!error) return this.connections.receive(request, response);
      request.resume(); // discards the body; later requests on the connection are not executed
      server.emit('clientError', error, request.socket);
    });
    server.on('connection', (socket) => this.connections.accept(socket));
    server.maxHeadersCount = 0; // unlimited within 16 KiB; Node.js silently drops headers over 1,000
    server.setTimeout(WRITE_TIMEOUT_MS, (socket) => this.connections.timeOut(socket));
    // Ignore an unknown `Expect` (RFC 9110, 10.1.1); Node.js would respond without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }
}

/**
 * Returns classes of requests and responses that have Express's prototypes, for `createServer`. Without them, Express replaces the
 * prototypes of every request and response, which V8 cannot optimize. This reduces the CPU time of a request to 60 %
 * (docs/performance.md).
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
