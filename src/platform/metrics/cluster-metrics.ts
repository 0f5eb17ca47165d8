/**
 * Collects the metrics of all workers of a cluster, for its primary process: sums, unless a metric says otherwise.
 *
 *     const admin = new AdminServer({ metrics: await clusterMetrics(), ready });
 *
 * @returns collects the text. It fails if a worker does not answer within five seconds
 */
export async function clusterMetrics(): Promise<() => Promise<string>> {
  const { default: prom } = await import('prom-client');
  const aggregator = new prom.AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
