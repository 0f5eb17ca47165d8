import cluster from 'node:cluster';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { Readiness } from '../health/readiness.js';
import { LOGGER } from '../logging/logging.module.js';
import { Metrics } from '../metrics/metrics.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { AdminServer, openAdminPort } from './admin-server.js';

/**
 * Opens `ADMIN_HOST:ADMIN_PORT`, if it is set, and closes it after the last request. In a cluster, only the primary process
 * opens it.
 */
@Injectable()
export class AdminPort implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server: AdminServer;

  constructor(
    private readonly env: Env,
    metrics: Metrics,
    readiness: Readiness,
    shutdown: GracefulShutdown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.server = new AdminServer({
      metrics: () => metrics.text(),
      ready: async () => {
        await readiness.check();
        return !shutdown.isStopping;
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_HOST, ADMIN_PORT } = this.env;
    if (ADMIN_PORT === undefined || cluster.isWorker) return;
    await openAdminPort(this.server, ADMIN_PORT, ADMIN_HOST, this.logger);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
