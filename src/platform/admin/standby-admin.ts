import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Env } from '../config/env.js';
import { processMetrics } from '../metrics/process-metrics.js';
import { AdminServer, openAdminPort } from './admin-server.js';

/**
 * Opens `ADMIN_HOST:ADMIN_PORT`, if it is set, while the server serves only saved copies. It is live, but not ready. A worker
 * only responds to the primary, which has opened the port.
 * @param domains the domains for which a proxy may obtain certificates
 * @returns a function that closes it
 */
export async function openStandbyAdmin(
  { ADMIN_HOST, ADMIN_PORT }: Env,
  logger: Logger,
  domains: string[],
): Promise<() => Promise<void>> {
  if (ADMIN_PORT === undefined) return async () => undefined;
  const metrics = await processMetrics();
  if (cluster.isWorker) return async () => undefined;
  const server = new AdminServer({ metrics, ready: async () => false });
  server.changeDomains({ added: domains, removed: [], isComplete: true });
  await openAdminPort(server, ADMIN_PORT, ADMIN_HOST, logger);
  return () => server.close();
}
