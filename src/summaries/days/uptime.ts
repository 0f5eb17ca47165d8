import type { MonitorStatus } from '../../monitors/monitor-status.js';

/** Seconds in each status. */
export type Seconds = Record<MonitorStatus, number>;

export function noSeconds(): Seconds {
  return {
    operational: 0,
    degraded_performance: 0,
    partial_outage: 0,
    major_outage: 0,
    under_maintenance: 0,
    unknown: 0,
  };
}

/** Returns the sum of seconds for each status. */
export function sumOf(all: Iterable<Seconds>): Seconds {
  const sum = noSeconds();
  for (const one of all) {
    sum.operational += one.operational;
    sum.degraded_performance += one.degraded_performance;
    sum.partial_outage += one.partial_outage;
    sum.major_outage += one.major_outage;
    sum.under_maintenance += one.under_maintenance;
    sum.unknown += one.unknown;
  }
  return sum;
}

/** Returns the seconds on which the uptime is based: neither unknown nor under maintenance. */
export function observedIn({
  operational,
  degraded_performance,
  partial_outage,
  major_outage,
}: Seconds): number {
  return operational + degraded_performance + partial_outage + major_outage;
}

/**
 * Returns the uptime in percent, 1 − (major + 0.3 · partial) / (observed − maintenance), rounded down to two decimals: 99.999
 * becomes 99.99. Degraded performance counts as up, unknown as not observed. Returns null if nothing was observed.
 */
export function uptimeOf(seconds: Seconds): number | null {
  const { partial_outage, major_outage } = seconds;
  const observed = observedIn(seconds);
  if (observed === 0) return null;
  // In tenths of a second, so that all numbers are integers until the division.
  const up = 10 * observed - 10 * major_outage - 3 * partial_outage;
  return Math.floor((1_000 * up) / observed) / 100;
}
