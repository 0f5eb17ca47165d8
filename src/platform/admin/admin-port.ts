import cluster from 'node:cluster';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DomainChanges } from '../cluster/messages.js';
import { primaryLink } from '../cluster/primary-link.js';
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
  private loadDomains: () => Promise<string[]> = async () => [];

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

  /** Registers a function that returns all domains for which a proxy may obtain certificates. It is called before the port opens. */
  beforeOpen(loadDomains: () => Promise<string[]>): void {
    this.loadDomains = loadDomains;
  }

  /** Changes the domains. A worker of a cluster sends them to the primary. */
  changeDomains(changes: DomainChanges): void {
    if (this.env.ADMIN_PORT === undefined) return;
    if (cluster.isWorker) void primaryLink.send({ kind: 'domains', ...changes });
    else this.server.changeDomains(changes);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_HOST, ADMIN_PORT } = this.env;
    if (ADMIN_PORT === undefined) return;
    this.changeDomains({ added: await this.loadDomains(), removed: [], isComplete: true });
    if (cluster.isWorker) return;
    await openAdminPort(this.server, ADMIN_PORT, ADMIN_HOST, this.logger);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
