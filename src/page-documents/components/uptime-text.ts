import { observedIn } from '../../summaries/days/uptime.js';
import type { DayData, MonitorData } from '../../page-model/page-data.js';
import { type BarScale, daysBefore } from './bars.js';
import type { View } from '../../page-model/view.js';

const DAY_SECONDS = 86_400;

/**
 * Returns the percentage that the page shows, or null. After less than a day of observation, it is hidden, because a short
 * incident would look like a bad record. A page whose history is only today shows it if today was observed from midnight on.
 */
export function shownUptime(
  { uptime, observed_seconds }: Pick<MonitorData, 'uptime' | 'observed_seconds'>,
  { seconds }: Pick<BarScale, 'seconds'>,
): number | null {
  return observed_seconds >= Math.min(DAY_SECONDS, seconds) ? uptime : null;
}

/** Returns the first day of monitoring in words, if the bars show days before the monitor existed or no percentage. */
export function sinceText(view: View, monitor: MonitorData, scale: BarScale): string | undefined {
  if (shownUptime(monitor, scale) !== null && daysBefore(monitor, scale) === 0) return undefined;
  return monitoredSince(view, monitor);
}

/** Returns the first day of monitoring in words if the bars of all monitors begin with it, for the axis below them. */
export function commonSince(view: View, monitors: MonitorData[], scale: BarScale): string | undefined {
  const found = new Set(monitors.map((monitor) => sinceText(view, monitor, scale)));
  return found.size === 1 ? [...found][0] : undefined;
}

/** Returns the uptime in words, or the first monitored day while there is no percentage. */
export function uptimeText(view: View, monitor: MonitorData, scale: BarScale): string {
  const percent = shownUptime(monitor, scale);
  if (percent !== null) return view.words.uptime(percent);
  return monitoredSince(view, monitor) ?? view.words.status.unknown;
}

/**
 * Returns the first monitored day in words, in the time zone of the page. Data begins with a day in UTC, or with the monitor, if
 * that was created on this day.
 */
function monitoredSince({ words, dates }: View, monitor: MonitorData): string | undefined {
  const first = firstMonitored(monitor);
  if (!first) return undefined;
  const { created_at } = monitor;
  const isNew = created_at.toISOString().startsWith(first.day);
  const start = isNew ? created_at : new Date(`${first.day}T00:00:00.000Z`);
  return words.monitored_since(dates.day(dates.dayOf(start)));
}

/**
 * Returns the first day with a status other than unknown. A monitor that was created in this second has no whole second with
 * a status, but has a status today.
 */
function firstMonitored({ status, days }: MonitorData): DayData | undefined {
  const first = days.find((day) => observedIn(day) > 0 || day.under_maintenance > 0);
  return first ?? (status === 'unknown' ? undefined : days.at(-1));
}
