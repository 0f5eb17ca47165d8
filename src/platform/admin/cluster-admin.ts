import type { Logger } from 'pino';
import type { DomainChanges } from '../cluster/messages.js';
import type { Env } from '../config/env.js';
import { clusterMetrics } from '../metrics/cluster-metrics.js';
import { AdminServer, openAdminPort } from './admin-server.js';

/**
 * Admin server in the primary of a cluster, with the sum of the metrics of all workers. It is ready if the service is ready. The
 * workers send the domains for which a proxy may obtain certificates.
 */
export class ClusterAdmin {
  private readonly server: AdminServer;
  private url = '';
  private metrics: () => Promise<string> = async () => '';

  /** @param domains the domains until a worker has read them */
  constructor(
    private readonly env: Env,
    private readonly logger: Logger,
    domains: string[],
  ) {
    this.server = new AdminServer({
      metrics: () => this.metrics(),
      ready: async () => (await fetch(`${this.url}/health/ready`)).ok,
    });
    this.changeDomains({ added: domains, removed: [], isComplete: true });
  }

  changeDomains(changes: DomainChanges): void {
    this.server.changeDomains(changes);
  }

  /**
   * Opens `ADMIN_HOST:ADMIN_PORT`, if it is set.
   * @param url the URL on which the workers listen
   * @returns a function that closes it
   */
  async open(url: string): Promise<() => Promise<void>> {
    const { ADMIN_HOST, ADMIN_PORT } = this.env;
    if (ADMIN_PORT === undefined) return async () => undefined;
    this.url = url;
    this.metrics = await clusterMetrics();
    await openAdminPort(this.server, ADMIN_PORT, ADMIN_HOST, this.logger);
    return () => this.server.close();
  }
}
