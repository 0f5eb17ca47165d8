import cluster from 'node:cluster';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { Readiness } from '../health/readiness.js';
import { LOGGER } from '../logging/logging.module.js';
import { Metrics } from '../metrics/metrics.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { AdminServer } from './admin-server.js';

/**
 * Opens `ADMIN_HOST:ADMIN_PORT`, if it is set, and closes it after the last request. In a worker of a cluster, the primary process
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
        return !shutdown.isDraining;
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_HOST, ADMIN_PORT } = this.env;
    if (ADMIN_PORT === undefined || cluster.isWorker) return;
    const port = await this.server.listen(ADMIN_PORT, ADMIN_HOST).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}: set another ADMIN_HOST or ADMIN_PORT`, { cause: error });
    });
    const host = ADMIN_HOST.includes(':') ? `[${ADMIN_HOST}]` : ADMIN_HOST;
    const admin_url = `http://${host}:${port}`;
    this.logger.info({ admin_url }, `metrics and health for operators at ${admin_url}`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
