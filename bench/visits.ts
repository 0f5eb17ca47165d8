import { setTimeout as delay } from 'node:timers/promises';
import autocannon, { type Result } from 'autocannon';

/** The time after the end of a minute during which visitors can still get the page of that minute. */
const RENEWAL_MS = 2_500;

/** The load of visitors on a server. */
export interface Load {
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** Requests a second on all connections together; by default as many as the server can process. */
  rate?: number;
}

/**
 * The visits of one measurement: the number per second, the median and the 99th percentile of their time in milliseconds, and the
 * number of failures.
 */
export interface Visits {
  count: number;
  rate: number;
  p50: number;
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
    p50: latencies[Math.floor(0.5 * latencies.length)] ?? NaN,
    p99: latencies[Math.floor(0.99 * latencies.length)] ?? NaN,
    failed: unexpected + errors + timeouts,
  };
}

/** Returns the text of a successful response. */
export async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return text;
}

/** Waits for the next minute if this one ends within some seconds. */
export async function beforeMinuteEnds(seconds: number): Promise<void> {
  const past = Date.now() % 60_000;
  const left = 60_000 - past;
  if (past < RENEWAL_MS) await delay(RENEWAL_MS - past);
  else if (left < (seconds + 1) * 1_000) await delay(left + RENEWAL_MS);
}
