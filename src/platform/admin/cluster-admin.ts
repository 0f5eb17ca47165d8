import type { Logger } from 'pino';
import type { Env } from '../config/env.js';
import { clusterMetrics } from '../metrics/cluster-metrics.js';
import { AdminServer, openAdminPort } from './admin-server.js';

/**
 * Opens `ADMIN_HOST:ADMIN_PORT` in the primary of a cluster, if it is set: with the metrics of all workers added up. It is ready
 * if the service is.
 * @param url where the workers listen
 * @returns closes it
 */
export async function openClusterAdmin(
  { ADMIN_HOST, ADMIN_PORT }: Env,
  logger: Logger,
  url: string,
): Promise<() => Promise<void>> {
  if (ADMIN_PORT === undefined) return async () => undefined;
  const server = new AdminServer({
    metrics: await clusterMetrics(),
    ready: async () => (await fetch(`${url}/health/ready`)).ok,
  });
  await openAdminPort(server, ADMIN_PORT, ADMIN_HOST, logger);
  return () => server.close();
}
