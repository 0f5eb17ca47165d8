import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { Env } from '../config/env.js';
import { unavailable } from './problem.filter.js';

const CHECK_EVERY_MS = 50;
const GRACE_MS = 1_000;

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
