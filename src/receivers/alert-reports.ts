import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import type { Alert } from './alertmanager.js';

/** The status of a monitor from a time on, derived from the alerts of a delivery. */
export interface AlertReport {
  monitor_id: string;
  status: ReportedStatus;
  observed_at: Date;
  /** Whether alerts started at this time, and none ended. */
  is_start: boolean;
}

interface Firing {
  status: ReportedStatus;
  from: number;
  /** Infinity if an alert is still firing. */
  until: number;
}

/**
 * Converts alerts to reports: for each monitor, its status at each time at which the start or end of an alert changed the status,
 * and now. If several alerts fire, the worst status counts. If no alert fires, the monitor is operational.
 *
 *     A major_outage          10:00 → 10:10     10:00 major_outage
 *     B degraded_performance  10:05 → firing    10:10 degraded_performance
 *                                               now   degraded_performance
 *
 * @param range times before `earliest` count as `earliest`, and times after `now` as `now`
 */
export function reportsOf(alerts: Alert[], range: { earliest: number; now: number }): AlertReport[] {
  const byMonitor = new Map<string, Firing[]>();
  for (const alert of alerts) {
    const firings = byMonitor.get(alert.monitor_id) ?? [];
    firings.push(firingOf(alert, range));
    byMonitor.set(alert.monitor_id, firings);
  }
  return [...byMonitor].flatMap(([monitor_id, firings]) =>
    changesOf(firings, range.now).map(({ time, ...change }) => ({
      monitor_id,
      ...change,
      observed_at: new Date(time),
    })),
  );
}

function firingOf(
  { status, starts_at, ends_at, is_firing }: Alert,
  { earliest, now }: { earliest: number; now: number },
): Firing {
  const inRange = (time: number): number => Math.min(Math.max(time, earliest), now);
  const end = inRange(ends_at ?? now);
  if (is_firing) return { status, from: inRange(starts_at ?? now), until: Infinity };
  return { status, from: Math.min(inRange(starts_at ?? end), end), until: end };
}

function changesOf(
  firings: Firing[],
  now: number,
): { status: ReportedStatus; time: number; is_start: boolean }[] {
  const starts = new Set(firings.map(({ from }) => from));
  const ends = new Set(firings.map(({ until }) => until).filter((time) => time !== Infinity));
  const times = [...new Set([...starts, ...ends, now])].toSorted((a, b) => a - b);
  const statuses = times.map((time) => ({
    time,
    status: statusAt(firings, time),
    is_start: !ends.has(time) && time !== now,
  }));
  return statuses.filter(
    ({ time, status }, index) => time === now || index === 0 || status !== statuses[index - 1]?.status,
  );
}

/** Returns the worst status of the alerts that fire at a time. */
function statusAt(firings: Firing[], time: number): ReportedStatus {
  const statuses = new Set(
    firings.filter(({ from, until }) => from <= time && time < until).map(({ status }) => status),
  );
  return REPORTED_STATUSES.findLast((status) => statuses.has(status)) ?? 'operational';
}
