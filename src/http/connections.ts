import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { Env } from '../config/env.js';
import { problemBody, unavailable } from './problem.filter.js';
import { Problem, type ProblemCode, PROBLEMS } from './problems.js';

const CHECK_EVERY_MS = 50;

/** How long a request may take to arrive, and how a request that is no HTTP is answered. */
export function guardConnections(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Longer than the idle time of the usual load balancers, which must be the ones to close first.
  server.keepAliveTimeout = 65_000;
  server.on('clientError', answerClientError);
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(codeOf(error));
  const { status } = PROBLEMS[problem.code];
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
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

  /** Nest closes the server right after this; it waits for every connection, so these must close, too. */
  beforeApplicationShutdown(): void {
    this.draining = true;
    const server: Server = this.adapterHost.httpAdapter.getHttpServer();
    const closeIdle = setInterval(() => server.closeIdleConnections(), CHECK_EVERY_MS).unref();
    const closeAll = setTimeout(() => server.closeAllConnections(), this.env.SHUTDOWN_TIMEOUT * 1000).unref();
    server.once('close', () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
  }
}
