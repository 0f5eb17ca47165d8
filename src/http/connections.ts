import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { CORS_HEADERS } from './cors.js';
import { problemBody, unavailable } from './problem.filter.js';
import { Problem, type ProblemCode, PROBLEMS } from './problems.js';

/** Bytes of the request line and the headers, at the most: node's own bound, here by name. */
export const MAX_HEAD_BYTES = 16 * 1024;

const CHECK_EVERY_MS = 50;
const GRACE_MS = 1_000;

/** 400 for an HTTP/1.1 request without `Host`, or any with several (RFC 9112, section 3.2). */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  const valid = hosts.length === 1 || (hosts.length === 0 && request.httpVersion === '1.0');
  next(valid ? undefined : new Problem('malformed_request', { detail: 'There must be one Host header' }));
}

/**
 * Answers, and logs, what never becomes a request, or ends in the middle of one: no valid HTTP, headers that are too
 * large, a request that takes too long to arrive.
 */
export function answerClientErrors(server: Server, logger: Logger): void {
  const current = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => current.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Who was answered already, or is gone, is told nothing more.
    if (error.code === 'ECONNRESET' || !socket.writable || current.get(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const problem = new Problem(codeOf(error));
    const { status } = PROBLEMS[problem.code];
    logger.info({ request_id: requestId, status, code: error.code }, 'no valid request');
    const body = JSON.stringify(problemBody(problem, requestId));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries(CORS_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}

function codeOf({ code }: NodeJS.ErrnoException): ProblemCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'malformed_request';
  }
}

/**
 * Stops the server without cutting a request: what runs is finished; what still comes in, on connections that were
 * open already, is answered 503 and closed.
 */
@Injectable()
export class Drain implements BeforeApplicationShutdown {
  private draining = false;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly env: Env,
  ) {}

  /** Refuses requests once shutdown has begun. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (!this.draining) return next();
    response.set('Connection', 'close');
    next(unavailable());
  };

  /**
   * Takes no more connections, and gives those that are open time to be answered once more and closed. Nest closes the
   * server right after this, which cuts the idle ones at once, though their client may just be sending.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.draining = true;
    const server: Server = this.adapterHost.httpAdapter.getHttpServer();
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    NetServer.prototype.close.call(server); // http's own close cuts the idle connections, too
    await Promise.race([closed, delay(GRACE_MS, undefined, { ref: false })]);
    const closeIdle = setInterval(() => server.closeIdleConnections(), CHECK_EVERY_MS).unref();
    const closeAll = setTimeout(() => server.closeAllConnections(), this.env.SHUTDOWN_TIMEOUT * 1000).unref();
    server.once('close', () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
  }
}
