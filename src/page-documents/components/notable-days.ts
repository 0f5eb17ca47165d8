import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import type { DayData, DayIncidentData, MaintenanceData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { isWithoutData } from './bars.js';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Statuses that are problems: neither planned nor without data. */
const PROBLEMS = ['major_outage', 'partial_outage', 'degraded_performance'] as const;

/** Statuses in a table of days, worst first. */
const TOLD = MONITOR_STATUSES.filter((status) => status !== 'operational');

/** A row of a table of days: one day, or several consecutive days without data. */
export interface NotableDays {
  from: string;
  to: string;
  /** Seconds in each non-operational status, worst first. */
  parts: [MonitorStatus, number][];
  events: DayEvent[];
}

/** An incident or maintenance window, for a link from the days of a monitor. */
export interface DayEvent {
  kind: 'incident' | 'maintenance';
  id: string;
  title: string;
  from: Date;
  /** null: until now. */
  to: Date | null;
}

/** Returns the incidents and maintenance windows of days by monitor. */
export function eventsByMonitor(
  incidents: DayIncidentData[],
  maintenances: MaintenanceData[],
): Map<string, DayEvent[]> {
  const events = new Map<string, DayEvent[]>();
  const add = (monitor: string, event: DayEvent) => {
    const of = events.get(monitor);
    if (of) of.push(event);
    else events.set(monitor, [event]);
  };
  for (const { monitor_id, id, title, started_at: from, ended_at: to } of incidents)
    add(monitor_id, { kind: 'incident', id, title, from, to });
  for (const { id, title, status, starts_at: from, ended_at: to, monitors } of maintenances) {
    if (status !== 'in_progress' && status !== 'completed') continue;
    for (const { monitor_id } of monitors) add(monitor_id, { kind: 'maintenance', id, title, from, to });
  }
  return events;
}

/** Returns the number of days with problems, and of days with maintenance. */
export function countDays(days: DayData[]): { problems: number; maintenance: number } {
  let [problems, maintenance] = [0, 0];
  for (const day of days) {
    if (PROBLEMS.some((status) => day[status] > 0)) problems++;
    if (day.under_maintenance > 0) maintenance++;
  }
  return { problems, maintenance };
}

/** Returns whether the monitor was operational all the time. */
export function isAlwaysOperational(days: DayData[]): boolean {
  return days.every((day) => TOLD.every((status) => day[status] === 0));
}

/**
 * Returns the days that were not always operational, newest first. Consecutive days without data are one row. Time without data
 * before the monitor had any is left out, because it was not yet monitored.
 * @param first midnight of the first day of the history, in milliseconds
 */
export function notableDays(days: DayData[], events: DayEvent[], first: number): NotableDays[] {
  const leading = leadingEmpty(days, first);
  // The first day with data, if days without data end right before it.
  const begin = leading > 0 ? first + leading * DAY_MS : undefined;
  const rows: NotableDays[] = [];
  let empty: NotableDays | undefined; // last row, if it is without data
  for (let index = days.length - 1; index >= leading; index--) {
    const day = days[index];
    if (!day) continue;
    const start = Date.parse(day.day);
    const parts: [MonitorStatus, number][] = [];
    for (const status of TOLD)
      if (day[status] > 0 && !(status === 'unknown' && start === begin)) parts.push([status, day[status]]);
    if (parts.length === 0) continue;
    const isEmpty = isWithoutData(day);
    if (isEmpty && empty && Date.parse(empty.from) - start === DAY_MS) {
      empty.from = day.day;
      continue;
    }
    const overlapping = events.length === 0 ? events : events.filter((one) => overlaps(one, start));
    const row = { from: day.day, to: day.day, parts, events: overlapping };
    rows.push(row);
    empty = isEmpty ? row : undefined;
  }
  return rows;
}

/** Returns the number of consecutive days without data from the first day on. */
function leadingEmpty(days: DayData[], first: number): number {
  const end = days.findIndex(
    (day, index) => Date.parse(day.day) !== first + index * DAY_MS || !isWithoutData(day),
  );
  return end === -1 ? days.length : end;
}

function overlaps({ from, to }: DayEvent, start: number): boolean {
  return from.getTime() < start + DAY_MS && (to === null || to.getTime() > start);
}

/** Returns the day or days of a row in words, in the time zone of the page. */
export function daysText(view: View, { from, to }: NotableDays): string {
  return view.dates.daysInUtc(from, to);
}

/** Returns the parts of a day in words: `Major outage 19 min, partial outage 25 min`. */
export function partsText(view: View, { from, to, parts }: NotableDays): string {
  if (from !== to) return view.words.status_for('unknown', view.words.all_day, true); // the first part belongs to today, which is shorter
  return parts
    .map(([status, seconds], index) => {
      const duration = seconds >= DAY_SECONDS ? view.words.all_day : view.dates.duration(seconds);
      return view.words.status_for(status, duration, index === 0);
    })
    .join(view.words.comma);
}
