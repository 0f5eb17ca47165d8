import autocannon, { type Client, type Result } from 'autocannon';
import type { Server } from './processes.js';
import type { Cursors, Draw, Workload } from './workloads.js';

const CONNECTIONS = 16;

/** A server under measurement, and the data for its requests. */
export interface Contender {
  name: string;
  server: Server;
  key: string;
  cursor: keyof Cursors;
  draw: Draw;
  /** The only workload of this contender. */
  only?: string;
  /** Open connections, by default 16. */
  connections?: number;
}

/** One measurement of one contender: requests per second, latencies in ms, CPU time per request in ms. */
export interface Sample {
  rate: number;
  p50: number;
  p99: number;
  cpu: number;
  requests: number;
}

/**
 * Puts a contender under load.
 * @param until the duration in seconds, or the number of requests
 * @param salt makes the values of PATCH requests unique
 * @throws Error for a response other than 2xx
 */
export async function measure(
  { name, server, key, cursor, draw, connections = CONNECTIONS }: Contender,
  workload: Workload,
  until: { seconds: number } | { requests: number },
  salt: string,
): Promise<Sample> {
  let connection = 0;
  const latencies: number[] = [];
  const setupClient = (client: Client) => {
    const mine = connection++;
    const share = draw.pages.filter((_page, index) => index % connections === mine % connections);
    client.setRequests(workload.requests(share, draw, cursor, salt));
  };
  const cpuBefore = await server.processorTime();
  let started = performance.now();
  let ended = started;
  const { non2xx, errors, timeouts } = await new Promise<Result>((resolve, reject) => {
    const options = {
      url: server.url,
      connections,
      ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
      sampleInt: 50, // ms; autocannon stops at such a tick
      headers: { Authorization: `Bearer ${key}` },
      setupClient,
    };
    autocannon(options, (error: unknown, result) => (error ? reject(toError(error)) : resolve(result)))
      .on('start', () => (started = performance.now()))
      // autocannon's histogram has only whole milliseconds.
      .on('response', (_client, _status, _bytes, latency) => {
        latencies.push(latency);
        ended = performance.now();
      });
  });
  if (non2xx + errors + timeouts > 0 || latencies.length === 0)
    throw new Error(
      `${name}, ${workload.name}: ${non2xx} responses other than 2xx, ${errors} failed requests`,
    );
  const cpu = (await server.processorTime()) - cpuBefore;
  latencies.sort((a, b) => a - b);
  return {
    rate: (latencies.length / (ended - started)) * 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: (cpu / latencies.length) * 1000,
    requests: latencies.length,
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The quantile of sorted numbers. */
function quantile(sorted: number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/** The median. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}
