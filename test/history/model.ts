// A slow, simple model of the history of monitors, derived only from the contract. It stores reports, incidents and
// maintenance windows as sent, and computes each response from all of them, as an array with one status per second.

export const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;

/** From best to worst: the worse of two statuses has the greater index. The arrays of seconds contain these indexes. */
export const STATUSES = [
  'operational',
  'under_maintenance',
  'unknown',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;

export type Status = (typeof STATUSES)[number];

export const REPORTED = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'] as const;

/** Status that a report or an incident can set. */
export type Reported = (typeof REPORTED)[number];

const rankOf = (status: Status): number => STATUSES.indexOf(status);

/** Gap between equal reports that was short enough when the second of them was sent. It remains known. */
type Bridge = [from: number, to: number];

/** A monitor with its reports by time. All times are in milliseconds since 1970. */
interface Monitor {
  created_at: number;
  stale_after_seconds: number | null;
  reports: Map<number, Reported>;
  bridges: Bridge[];
}

/** An update of an incident. `monitors` is null if unchanged. The ID of the first one is null until it is read. */
export interface Update {
  id: string | null;
  posted_at: number;
  status: string;
  monitors: Map<string, Reported> | null;
}

/** An incident with its updates in order of creation. */
export interface Incident {
  started_at: number;
  updates: Update[];
}

export interface Maintenance {
  starts_at: number;
  ends_at: number;
  closed_as: 'completed' | 'cancelled' | null;
  closed_at: number | null;
  monitor_ids: Set<string>;
}

/** Status that incidents and maintenance windows set for a monitor during an interval. */
interface Interval {
  from: number;
  to: number;
  status: Status;
}

/** Response of `GET /v1/monitors/{id}/status`, with sorted IDs. */
export interface StatusNow {
  status: Status;
  reported_status: Status;
  observed_at: string | null;
  incident_ids: string[];
  maintenance_ids: string[];
}

/** Stored reports, incidents and maintenance windows, and the history computed from them. */
export class Model {
  readonly monitors: Map<string, Monitor>;
  readonly incidents: Map<string, Incident>;
  readonly maintenances: Map<string, Maintenance>;

  /** Creates an empty model or a copy of another one. */
  constructor(other?: Model) {
    this.monitors = structuredClone(other?.monitors) ?? new Map();
    this.incidents = structuredClone(other?.incidents) ?? new Map();
    this.maintenances = structuredClone(other?.maintenances) ?? new Map();
  }

  addMonitor(id: string, created_at: number): void {
    this.monitors.set(id, { created_at, stale_after_seconds: null, reports: new Map(), bridges: [] });
  }

  setCreatedAt(id: string, time: number): void {
    this.monitor(id).created_at = time;
  }

  private monitor(id: string): Monitor {
    const monitor = this.monitors.get(id);
    if (!monitor) throw new Error(`no monitor ${id}`);
    return monitor;
  }

  report(id: string, status: Reported, time: number): void {
    const monitor = this.monitor(id);
    const inOrder = sorted(monitor.reports);
    const at = inOrder.findLast(([one]) => one <= time);
    const before = inOrder.findLast(([one]) => one < time);
    const after = inOrder.find(([one]) => one > time);
    if (at && at[1] !== status) {
      // Gaps around this report are no longer bridged. Gaps before and after it still are.
      monitor.bridges = monitor.bridges.flatMap(([from, to]): Bridge[] =>
        from <= time && time <= to
          ? [
              [from, before?.[0] ?? -Infinity],
              [after?.[0] ?? Infinity, to],
            ]
          : [[from, to]],
      );
    }
    monitor.reports.set(time, status);
    if (before?.[1] === status && time - before[0] <= staleMs(monitor))
      monitor.bridges.push([before[0], time]);
    if (after?.[1] === status && after[0] - time <= staleMs(monitor)) monitor.bridges.push([time, after[0]]);
  }

  setStaleAfter(id: string, seconds: number | null): void {
    this.monitor(id).stale_after_seconds = seconds;
  }

  /** Deletes a monitor, and removes it from incidents and maintenance windows. */
  deleteMonitor(id: string): void {
    this.monitors.delete(id);
    for (const { updates } of this.incidents.values())
      for (const { monitors } of updates) monitors?.delete(id);
    for (const { monitor_ids } of this.maintenances.values()) monitor_ids.delete(id);
  }

  /** Returns the status of each second of `[from, to)`, at the end of the second. Both are full seconds. */
  secondsOf(id: string, from: number, to: number): Uint8Array {
    const monitor = this.monitor(id);
    const seconds = new Uint8Array((to - from) / SECOND_MS).fill(rankOf('unknown'));
    // The last millisecond of a second determines its status, because times are rounded down to full seconds.
    const indexOf = (time: number): number =>
      Math.min(Math.max(Math.floor(time / SECOND_MS) - from / SECOND_MS, 0), seconds.length);
    const paint = (start: number, end: number, status: Status): void => {
      seconds.fill(rankOf(status), indexOf(start), indexOf(end));
    };
    const reports = sorted(monitor.reports);
    // A monitor that no probe reports is operational, from its creation or the day of an earlier incident until a first report.
    const first = reports[0]?.[0] ?? Infinity;
    const named = [...this.incidents.values()].flatMap((incident) => firstTimeIn(incident, id) ?? []);
    const incident = Math.min(...named);
    const since = incident < monitor.created_at ? incident - (incident % DAY_MS) : monitor.created_at;
    if (monitor.stale_after_seconds === null && since < first) paint(since, first, 'operational');
    for (const [index, [time, status]] of reports.entries()) {
      const next = reports[index + 1]?.[0] ?? Infinity;
      paint(time, Math.min(next, time + staleMs(monitor)), status);
      for (const [start, end] of monitor.bridges)
        paint(Math.max(start, time), Math.max(time, Math.min(end, next)), status);
    }
    for (const [start, end] of this.windowsOf(id)) paint(start, end, 'under_maintenance');
    for (const { from: start, to: end, status } of this.impactsOn(id)) {
      const [rank, last] = [rankOf(status), indexOf(end)];
      for (let index = indexOf(start); index < last; index++)
        seconds[index] = Math.max(seconds[index] ?? 0, rank);
    }
    return seconds;
  }

  /** Returns the days of `[from, to)` until `now` as lines, like {@link linesOf}. Both are midnights in UTC. */
  linesOf(id: string, from: number, to: number, now: number): string[] {
    const seconds = this.secondsOf(id, from, to);
    const known = Math.max(Math.floor((now - from) / SECOND_MS), 0);
    const days: Counts[] = [];
    for (let start = 0; start < seconds.length; start += DAY_MS / SECOND_MS)
      days.push(countsOf(seconds, start, Math.min(start + DAY_MS / SECOND_MS, known, seconds.length)));
    const sum = sumOf(days);
    return [
      `all ${uptimeOf(sum)} of ${observedIn(sum)}`,
      ...days.map(
        (counts, index) =>
          `${dayOf(from + index * DAY_MS)} ${format(uptimeOf(counts), observedIn(counts), counts)}`,
      ),
    ];
  }

  statusNow(id: string, now: number): StatusNow {
    const monitor = this.monitor(id);
    const last = sorted(monitor.reports).at(-1);
    const unreported = monitor.stale_after_seconds === null ? 'operational' : 'unknown';
    const isStale = last && now >= last[0] + staleMs(monitor);
    const reported_status = isStale ? 'unknown' : (last?.[1] ?? unreported);
    const maintenance_ids = [...this.maintenances]
      .filter(([, one]) => one.monitor_ids.has(id) && one.starts_at <= now && now < endOf(one))
      .map(([maintenance]) => maintenance)
      .toSorted();
    const said = [...this.incidents].flatMap(([incident, one]) => {
      const status = timelineOf(one)
        .findLast(({ time }) => time <= now)
        ?.affected.get(id);
      return status ? [{ incident, status }] : [];
    });
    const ranks = [
      rankOf(maintenance_ids.length > 0 ? 'under_maintenance' : reported_status),
      ...said.map(({ status }) => rankOf(status)),
    ];
    return {
      status: STATUSES[Math.max(...ranks)] ?? 'unknown',
      reported_status,
      observed_at: last ? new Date(last[0]).toISOString() : null,
      incident_ids: said.map(({ incident }) => incident).toSorted(),
      maintenance_ids,
    };
  }

  private windowsOf(id: string): [from: number, to: number][] {
    return [...this.maintenances.values()]
      .filter(({ monitor_ids }) => monitor_ids.has(id))
      .map((one) => [one.starts_at, endOf(one)]);
  }

  private impactsOn(id: string): Interval[] {
    return [...this.incidents.values()].flatMap((incident) =>
      timelineOf(incident).flatMap(({ time, affected }, index, timeline) => {
        const status = affected.get(id);
        return status ? [{ from: time, to: timeline[index + 1]?.time ?? Infinity, status }] : [];
      }),
    );
  }
}

/** Returns the statuses that an incident sets from the time of each update, ordered by time. */
function timelineOf({ started_at, updates }: Incident): { time: number; affected: Map<string, Reported> }[] {
  let monitors = new Map<string, Reported>();
  return updates
    .map((update, index) => ({ ...update, time: index === 0 ? started_at : update.posted_at }))
    .toSorted((a, b) => a.time - b.time)
    .map((update) => {
      monitors = update.monitors ?? monitors;
      return { time: update.time, affected: update.status === 'resolved' ? new Map() : monitors };
    });
}

/** Returns when an incident first affects a monitor, or else the time of its first update that names the monitor. */
function firstTimeIn(incident: Incident, id: string): number | undefined {
  const { started_at, updates } = incident;
  const timeline = timelineOf(incident);
  const affects = timeline.find(
    ({ time, affected }, index) => affected.has(id) && timeline[index + 1]?.time !== time,
  );
  const named = updates.flatMap(({ monitors, posted_at }, index) =>
    monitors?.has(id) ? (index === 0 ? started_at : posted_at) : [],
  );
  return affects?.time ?? named.toSorted((a, b) => a - b)[0];
}

/** Returns the status by the clock, unless an update has set it. */
export function maintenanceStatus({ starts_at, ends_at, closed_as }: Maintenance, now: number): string {
  if (closed_as) return closed_as;
  return now < starts_at ? 'scheduled' : now < ends_at ? 'in_progress' : 'completed';
}

const endOf = ({ starts_at, ends_at, closed_at }: Maintenance): number =>
  Math.max(starts_at, Math.min(ends_at, closed_at ?? Infinity));

const staleMs = ({ stale_after_seconds }: Monitor): number =>
  stale_after_seconds === null ? Infinity : stale_after_seconds * SECOND_MS;

const sorted = (reports: Map<number, Reported>): [time: number, status: Reported][] =>
  [...reports].toSorted(([a], [b]) => a - b);

/** Returns the number of seconds in each status. */
type Counts = Record<Status, number>;

function countsOf(seconds: Uint8Array, start: number, end: number): Counts {
  const counts = new Uint32Array(STATUSES.length);
  for (let first = start; first < end;) {
    const rank = seconds[first] ?? 0;
    let next = first + 1;
    while (next < end && seconds[next] === rank) next++;
    counts[rank] = (counts[rank] ?? 0) + next - first;
    first = next;
  }
  return byStatus((status) => counts[rankOf(status)] ?? 0);
}

const sumOf = (days: Counts[]): Counts =>
  byStatus((status) => days.reduce((sum, counts) => sum + counts[status], 0));

const byStatus = (countOf: (status: Status) => number): Counts => ({
  operational: countOf('operational'),
  under_maintenance: countOf('under_maintenance'),
  unknown: countOf('unknown'),
  degraded_performance: countOf('degraded_performance'),
  partial_outage: countOf('partial_outage'),
  major_outage: countOf('major_outage'),
});

/** Returns the day of a time in UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const observedIn = (counts: Counts): number => REPORTED.reduce((sum, status) => sum + counts[status], 0);

/**
 * Returns the uptime in percent, rounded down to two decimals, or null without observations. Weights in tenths keep all
 * numbers integers.
 */
function uptimeOf(counts: Counts): number | null {
  const observed = observedIn(counts);
  if (observed === 0) return null;
  const down = 10 * counts.major_outage + 3 * counts.partial_outage;
  return Math.floor((10_000 * (10 * observed - down)) / (10 * observed)) / 100;
}

const format = (uptime: number | null, observed: number, counts: Counts): string =>
  `${uptime} of ${observed} ${STATUSES.map((status) => `${status}=${counts[status]}`).join(' ')}`;

/** Response of `GET /v1/monitors/{id}/days`. */
export interface Days {
  monitor_id: string;
  from: string;
  to: string;
  uptime: number | null;
  observed_seconds: number;
  days: ({ day: string; uptime: number | null; observed_seconds: number } & Counts)[];
}

/** Returns the number of seconds that a response covers. */
export const secondsIn = ({ days }: Days): number =>
  days.reduce((sum, day) => STATUSES.reduce((part, status) => part + day[status], sum), 0);

/** Returns a response in the form of {@link Model.linesOf}. */
export function linesOf({ uptime, observed_seconds, days }: Days): string[] {
  return [
    `all ${uptime} of ${observed_seconds}`,
    ...days.map((day) => `${day.day} ${format(day.uptime, day.observed_seconds, day)}`),
  ];
}
