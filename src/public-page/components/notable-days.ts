import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import type { DayData, DayIncidentData } from '../data/page-data.js';
import { dayText, durationText, WORDS } from '../documents/words.js';

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
  incidents: DayIncidentData[];
}

/** Returns the number of days with problems. */
export function problemsIn(days: DayData[]): number {
  return days.filter((day) => PROBLEMS.some((status) => day[status] > 0)).length;
}

/** Returns the days that were not always operational, newest first. Consecutive days without data are one row. */
export function notableDays(days: DayData[], incidents: DayIncidentData[]): NotableDays[] {
  const rows: NotableDays[] = [];
  let empty: NotableDays | undefined; // last row, if it is without data
  for (let index = days.length - 1; index >= 0; index--) {
    const day = days[index];
    if (!day) continue;
    const parts: [MonitorStatus, number][] = [];
    for (const status of TOLD) if (day[status] > 0) parts.push([status, day[status]]);
    if (parts.length === 0) continue;
    const isEmpty = day.operational === 0 && parts.length === 1 && day.unknown > 0;
    const start = Date.parse(day.day);
    if (isEmpty && empty && Date.parse(empty.from) - start === DAY_MS) {
      empty.from = day.day;
      continue;
    }
    const overlapping = incidents.length === 0 ? incidents : incidents.filter((one) => overlaps(one, start));
    const row = { from: day.day, to: day.day, parts, incidents: overlapping };
    rows.push(row);
    empty = isEmpty ? row : undefined;
  }
  return rows;
}

function overlaps({ started_at, ended_at }: DayIncidentData, start: number): boolean {
  return started_at.getTime() < start + DAY_MS && (ended_at === null || ended_at.getTime() > start);
}

/** Returns the day or days of a row in words. */
export function daysText({ from, to }: NotableDays): string {
  return from === to ? dayText(from) : `${dayText(from)} ${WORDS.to} ${dayText(to)}`;
}

/** Returns the parts of a day in words: `Major outage 19 min, partial outage 25 min`. */
export function partsText({ from, to, parts }: NotableDays): string {
  if (from !== to) return `${WORDS.status.unknown} ${WORDS.all_day}`; // the first part belongs to today, which is shorter
  const text = parts
    .map(([status, seconds]) => {
      const word = WORDS.status[status].toLowerCase();
      return `${word} ${seconds >= DAY_SECONDS ? WORDS.all_day : durationText(seconds)}`;
    })
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
