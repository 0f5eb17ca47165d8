import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { Env } from '../config/env.js';
import { unavailable } from '../problems/problem.js';
const CHECK_INTERVAL_MS = 50;
const IDLE_GRACE_MS = 1_000;

/**
 * Stops the server without aborting requests: running requests have `SHUTDOWN_TIMEOUT` to finish and to deliver their
 * responses. Later requests on open connections get 503, and their connection is closed.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit, BeforeApplicationShutdown {
  private draining = false;
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly env: Env,
  ) {}

  /** Responds 503 to requests during the shutdown. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (!this.draining) return next();
    response.set('Connection', 'close');
    next(unavailable());
  };

  /** Whether the server is stopping. */
  get isDraining(): boolean {
    return this.draining;
  }

  onModuleInit(): void {
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Accepts no more connections, and waits until the open ones are closed. Idle connections have a second to send a request;
   * Nest, which closes the server after this, would close them at once.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.draining = true;
    const { server } = this;
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    NetServer.prototype.close.call(server); // close() of http would also close idle connections
    await Promise.race([closed, delay(IDLE_GRACE_MS, undefined, { ref: false })]);
    const closeIdle = setInterval(() => this.closeIdleConnections(), CHECK_INTERVAL_MS);
    const closeAll = setTimeout(() => server.closeAllConnections(), this.env.SHUTDOWN_TIMEOUT * 1000);
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }

  /** Node.js counts a connection as idle before its response is delivered: wait until all buffers are empty. */
  private closeIdleConnections(): void {
    for (const { writableLength } of this.sockets) if (writableLength > 0) return;
    this.server.closeIdleConnections();
  }

  private get server(): Server {
    return this.adapterHost.httpAdapter.getHttpServer();
  }
}
