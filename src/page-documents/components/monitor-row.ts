import type { MonitorData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { BARS_HEIGHT, BARS_WIDTH, type BarScale, barPaths, daysBefore } from './bars.js';
import { daysTable } from './days-table.js';
import { escapeHtml } from './html.js';
import { countDays, type DayEvent, notableDays } from './notable-days.js';
import { STATUS_CLASS, statusHtml } from './status-shapes.js';
import { shownUptime, sinceText, uptimeText } from './uptime-text.js';

// A page has up to hundreds of rows. They are strings instead of JSX, which takes a quarter of the time.

/** Data that the rows of a page share. */
export interface RowContext {
  view: View;
  /** undefined if the page does not show its history. */
  scale: BarScale | undefined;
  /** By monitor. */
  events: ReadonlyMap<string, DayEvent[]>;
  /** Maximum number of days in a table. The monitor's page shows all. */
  maxDays: number;
}

/** Length of a name above which it gets a line of its own in narrow windows. */
const LONG_NAME = 40;

const NO_EVENTS: DayEvent[] = [];

/**
 * Returns a monitor in its section as HTML: name and status. If the page shows its history, also bars, uptime and the days with
 * problems.
 */
export function monitorRow(monitor: MonitorData, { view, scale, events, maxDays }: RowContext): string {
  const { status, monitor_id: id, days } = monitor;
  const row = monitor.name.length > LONG_NAME ? 'monitor long' : 'monitor';
  const name = `<bdi>${escapeHtml(monitor.name)}</bdi>`;
  const statusWord = `<span class="status ${STATUS_CLASS[status]}">${statusHtml(view, status)}</span>`;
  if (!scale) return `<li class="${row}">${name}${statusWord}</li>`;

  const href = escapeHtml(view.links.to({ kind: 'monitor', id }));
  const uptime = shownUptime(monitor, scale);
  const rows = notableDays(days, events.get(id) ?? NO_EVENTS, scale.first);
  let percent = uptime === null ? '' : view.words.percent(uptime);
  if (rows.length === 0) percent = `<span class="percent">${percent}</span>`;
  else {
    const { problems, maintenance } = countDays(days);
    const counts = view.words.day_counts(problems, maintenance);
    const more = `<tfoot><tr><td colspan="2"><a href="${href}">${view.words.every_day(scale.days)}</a></td></tr></tfoot>`;
    const table = daysTable(monitor.name, rows.slice(0, maxDays), view, rows.length > maxDays ? more : '');
    // The table is beside the details, which are in the line of the name.
    percent = `<details class="percent"><summary>${percent} <span class="unseen">${counts}</span></summary></details>${table}`;
  }
  // The status comes before the uptime, which does not move when a browser gets the rest of the row.
  return `<li class="${row}"><a href="${href}">${name}</a>${bars(view, monitor, scale)}${statusWord}${percent}</li>`;
}

/** Returns a bar for each day, as HTML. `data-before` is the number of days before the monitor existed. */
export function bars(view: View, monitor: MonitorData, scale: BarScale): string {
  const { problems, maintenance } = countDays(monitor.days);
  const uptime = uptimeText(view, monitor, scale);
  const since = sinceText(view, monitor, scale) ?? uptime;
  const text = view.words.bars(scale.days, uptime, problems, maintenance);
  const label = since === uptime ? text : `${text}${view.words.comma}${since}`;
  const before = daysBefore(monitor, scale);
  const data = before === 0 ? '' : ` data-before="${before}"`;
  return `<svg class="bars"${data} viewBox="0 0 ${BARS_WIDTH} ${BARS_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(label)}">${barPaths(monitor, scale)}</svg>`;
}

/** Returns the attributes that the script needs for the card of a day. */
export const cardData = ({ words, dates }: View, { days }: BarScale) => ({
  'data-days': days,
  'data-today': dates.now.toISOString().slice(0, 10),
  'data-zone': dates.timeZone === 'UTC' ? undefined : dates.timeZone,
  'data-operational': words.status.operational,
  'data-before': words.not_monitored,
});
