/**
 * Collects the metrics of all workers of a cluster, for its primary process. Adds up the values, unless a metric declares
 * another aggregator.
 *
 *     const admin = new AdminServer({ metrics: await clusterMetrics(), ready });
 *
 * @returns a function that collects the text; it fails if a worker does not respond within five seconds
 */
export async function clusterMetrics(): Promise<() => Promise<string>> {
  const { default: prom } = await import('prom-client');
  const aggregator = new prom.AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
