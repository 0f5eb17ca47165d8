import cluster from 'node:cluster';
import type { Registry } from 'prom-client';

/** Collects the metrics of Node.js, for a process that does not run the application yet. */
export async function processMetrics(): Promise<() => Promise<string>> {
  const { default: prom } = await import('prom-client');
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  await answerPrimary(registry);
  return () => registry.metrics();
}

/** Makes a worker send these metrics to the primary on request, see `cluster-metrics.ts`. */
export async function answerPrimary(registry: Registry): Promise<void> {
  if (!cluster.isWorker) return;
  const { default: prom } = await import('prom-client');
  prom.AggregatorRegistry.setRegistries([registry]);
  void new prom.AggregatorRegistry();
}
