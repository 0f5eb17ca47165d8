import { type PackedDays, unpackDays } from '../summaries/days/packed-days.js';
import type { MonitorData, Overview } from './page-data.js';

/** A monitor as it is read. Its days are unpacked when it is rendered. */
export type PackedMonitor = Omit<MonitorData, 'days'> & { days: PackedDays };

/** Returns the monitor with its days. */
export function unpackMonitor(monitor: PackedMonitor): MonitorData {
  return { ...monitor, days: unpackDays(monitor.days) };
}

/** Returns the page with the days of its monitors. */
export function unpackOverview(overview: Overview<PackedMonitor>): Overview {
  const sections = overview.sections.map((section) => ({
    ...section,
    monitors: section.monitors.map(unpackMonitor),
  }));
  return { ...overview, sections };
}
