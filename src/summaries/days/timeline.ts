import {
  MONITOR_STATUSES,
  type MonitorStatus,
  type StatusInterval,
  worstIn,
} from '../../monitors/monitor-status.js';
import { noSeconds, type Seconds } from './uptime.js';

const DAY_SECONDS = 86_400;

type Interval = Omit<StatusInterval, 'monitor_id'>;

/** History of a monitor in a time range. */
export interface History {
  /** Reported intervals, non-overlapping. */
  reported: Interval[];
  /** Intervals set by incidents. */
  incidents: Interval[];
  /** Maintenance windows. */
  maintenances: Interval[];
}

/** Start or end of an interval. Times are in seconds since 1970. */
interface Change {
  time: number;
  source: keyof History;
  status: MonitorStatus;
  /** 1: an interval starts; −1: it ends. */
  by: 1 | -1;
}

/**
 * Returns the seconds in each status for each day from `from` until before `to`. The status at a time is the worst of the
 * reported status and the statuses set by incidents. During a maintenance window, reports do not count. A second has the status
 * at its end.
 * @param from midnight in UTC
 * @param to any time; the last day contains only the seconds before it
 */
export function secondsByDay(history: History, from: Date, to: Date): Seconds[] {
  const [start, end] = [toSeconds(from), toSeconds(to)];
  const days = Array.from({ length: Math.ceil((end - start) / DAY_SECONDS) }, noSeconds);
  const changes = changesOf(history, start, end);
  const counts = { reported: noSeconds(), incidents: noSeconds(), maintenances: noSeconds() };
  let time = start;
  for (const change of [...changes, { time: end }]) {
    if (change.time > time) addSeconds(days, start, { time, end: change.time }, statusOf(counts));
    time = change.time;
    if ('by' in change) counts[change.source][change.status] += change.by;
  }
  return days;
}

/** Returns the worst status, from the number of intervals of each source in each status. */
function statusOf({ reported, incidents, maintenances }: Record<keyof History, Seconds>): MonitorStatus {
  const base = maintenances.under_maintenance > 0 ? 'under_maintenance' : worstIn(reported);
  return MONITOR_STATUSES.find((status) => incidents[status] > 0 || status === base) ?? 'unknown';
}

/** Returns the starts and ends of all intervals in the range, sorted by time. */
function changesOf(history: History, start: number, end: number): Change[] {
  const changes: Change[] = [];
  for (const source of ['reported', 'incidents', 'maintenances'] as const) {
    for (const { status, started_at, ended_at } of history[source]) {
      const first = Math.max(start, toSeconds(started_at));
      const last = ended_at ? Math.min(end, toSeconds(ended_at)) : end;
      if (first >= last) continue;
      changes.push({ time: first, source, status, by: 1 }, { time: last, source, status, by: -1 });
    }
  }
  return changes.toSorted((a, b) => a.time - b.time);
}

function addSeconds(
  days: Seconds[],
  start: number,
  { time, end }: { time: number; end: number },
  status: MonitorStatus,
): void {
  for (let at = time; at < end;) {
    const place = Math.floor((at - start) / DAY_SECONDS);
    const next = Math.min(end, start + (place + 1) * DAY_SECONDS);
    const day = days[place];
    if (day) day[status] += next - at;
    at = next;
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
