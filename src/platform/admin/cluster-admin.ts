import type { Logger } from 'pino';
import type { Env } from '../config/env.js';
import { clusterMetrics } from '../metrics/cluster-metrics.js';
import { AdminServer, openAdminPort } from './admin-server.js';

/**
 * Opens `ADMIN_HOST:ADMIN_PORT`, if it is set, in the primary of a cluster, with the sum of the metrics of all workers. It is
 * ready if the service is ready.
 * @param url the URL on which the workers listen
 * @returns a function that closes it
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
