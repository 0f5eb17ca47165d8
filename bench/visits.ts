import autocannon, { type Result } from 'autocannon';

/** How visitors put a server under load. */
export interface Load {
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** Requests a second, of all connections together; by default as many as the server answers. */
  rate?: number;
}

/** The visits of one measurement: a second, the 99th percentile of their time in milliseconds, and how many failed. */
export interface Visits {
  count: number;
  rate: number;
  p99: number;
  failed: number;
}

/**
 * Visits a URL.
 * @param expected the status of an answer; others count as failed
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
