import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { Env } from '../config/env.js';

const CHECK_INTERVAL_MS = 50;
const IDLE_GRACE_MS = 1_000;

declare global {
  namespace Express {
    interface Request {
      /** Whether the request arrived during shutdown. */
      is_during_stop?: boolean;
    }
  }
}

/**
 * Stops the server without failed requests. During `DRAIN_DELAY`, it serves requests but is not ready, so that load balancers
 * use other servers. Then it accepts no more connections, and in-flight requests have `SHUTDOWN_TIMEOUT` to finish and to
 * deliver their responses. From the start of the shutdown, each response closes its connection.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit, BeforeApplicationShutdown {
  private stopping = false;
  private readonly delayEnd = new AbortController();
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly env: Env,
  ) {}

  /** Whether the server is stopping. */
  get isStopping(): boolean {
    return this.stopping;
  }

  onModuleInit(): void {
    const { server } = this;
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', this.closeAfterResponse);
  }

  /** Sends `Connection: close`, so that the client reconnects to another server. */
  private readonly closeAfterResponse = (
    request: IncomingMessage & Partial<Pick<Request, 'is_during_stop'>>,
    response: ServerResponse,
  ): void => {
    if (!this.stopping) return;
    request.is_during_stop = true;
    response.shouldKeepAlive = false;
  };

  /** Ends `DRAIN_DELAY` immediately. */
  skipDelay(): void {
    this.delayEnd.abort();
  }

  /**
   * Waits for `DRAIN_DELAY`, accepts no more connections, and waits until the open ones are closed. Idle connections have one
   * second to send a request. Nest, which closes the server after this, would close them immediately.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const { server } = this;
    if (!server.listening) return;
    if (this.env.DRAIN_DELAY > 0) await this.waitForDelay();
    const closed = new Promise<void>((resolve) => server.once('close', resolve));
    NetServer.prototype.close.call(server); // close() of http would also close idle connections
    const closeAll = setTimeout(() => server.closeAllConnections(), this.env.SHUTDOWN_TIMEOUT * 1000);
    await Promise.race([closed, delay(IDLE_GRACE_MS, undefined, { ref: false })]);
    const closeIdle = setInterval(() => this.closeIdleConnections(), CHECK_INTERVAL_MS);
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }

  private async waitForDelay(): Promise<void> {
    const { signal } = this.delayEnd;
    await delay(this.env.DRAIN_DELAY * 1000, undefined, { signal }).catch(() => undefined); // skipped
  }

  /** Closes idle connections after all buffers are empty, because Node.js considers a connection idle before its response is
   * delivered. */
  private closeIdleConnections(): void {
    for (const { writableLength } of this.sockets) if (writableLength > 0) return;
    this.server.closeIdleConnections();
  }

  private get server(): Server {
    return this.adapterHost.httpAdapter.getHttpServer();
  }
}
