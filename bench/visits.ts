import autocannon, { type Result } from 'autocannon';

/** The load of visitors on a server. */
export interface Load {
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** Requests a second on all connections together; by default as many as the server can process. */
  rate?: number;
}

/**
 * The visits of one measurement: the number per second, the 99th percentile of their time in milliseconds, and the
 * number of failures.
 */
export interface Visits {
  count: number;
  rate: number;
  p99: number;
  failed: number;
}

/**
 * Visits a URL.
 * @param expected the status of a response; others count as failed
 */
export async function visit(
  url: string,
  { connections, seconds, headers = {}, rate }: Load,
  expected = 200,
): Promise<Visits> {
  const latencies: number[] = [];
  let unexpected = 0;
  let started = performance.now();
  let ended = started;
  const { errors, timeouts } = await new Promise<Result>((resolve, reject) => {
    const options = { url, connections, duration: seconds, sampleInt: 50, headers };
    autocannon(rate === undefined ? options : { ...options, overallRate: rate }, (error: unknown, result) =>
      error instanceof Error ? reject(error) : resolve(result),
    )
      .on('start', () => (started = performance.now()))
      .on('response', (_client, status, _bytes, latency) => {
        if (status !== expected) unexpected += 1;
        latencies.push(latency);
        ended = performance.now();
      });
  });
  latencies.sort((a, b) => a - b);
  return {
    count: latencies.length,
    rate: (latencies.length / (ended - started)) * 1000,
    p99: latencies[Math.floor(0.99 * latencies.length)] ?? NaN,
    failed: unexpected + errors + timeouts,
  };
}
