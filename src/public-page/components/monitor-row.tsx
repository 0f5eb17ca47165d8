import type { DayIncidentData, MonitorData } from '../data/page-data.js';
import type { View } from '../documents/view.js';
import { BARS_HEIGHT, BARS_WIDTH, type BarScale, barPaths } from './bars.js';
import { daysTable } from './days-table.js';
import { notableDays, problemsIn } from './notable-days.js';
import { STATUS_CLASS, statusHtml } from './status-shapes.js';
import { uptimeText } from './uptime-text.js';

// A page has up to hundreds of rows. They are functions that return JSX instead of components, which takes half the time.

/** Data that the rows of a page share. */
export interface RowContext {
  view: View;
  /** undefined if the page does not show its history. */
  scale: BarScale | undefined;
  /** By monitor. */
  incidents: ReadonlyMap<string, DayIncidentData[]>;
  /** Maximum number of days in a table. The monitor's page shows all. */
  maxDays: number;
}

const NO_INCIDENTS: DayIncidentData[] = [];

/**
 * Renders a monitor in its section: name and status. If the page shows its history, also bars, uptime and the days with
 * problems.
 */
export function monitorRow(monitor: MonitorData, { view, scale, incidents, maxDays }: RowContext) {
  const { name, status, monitor_id: id, days } = monitor;
  const statusWord = (
    <span class={`status ${STATUS_CLASS[status]}`} dangerouslySetInnerHTML={statusHtml(view, status)} />
  );
  if (!scale)
    return (
      <li class="monitor">
        <p>
          <bdi>{name}</bdi>
          {statusWord}
        </p>
      </li>
    );

  const href = view.links.to({ kind: 'monitor', id });
  const problems = problemsIn(days);
  const rows = notableDays(days, incidents.get(id) ?? NO_INCIDENTS, scale.first);
  const uptime = uptimeText(view, monitor, scale);
  return (
    <li class="monitor">
      <p>
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
        {statusWord}
      </p>
      {bars(view, monitor, problems, scale)}
      {rows.length === 0 ? (
        <p class="axis">
          <span>{uptime}</span>
        </p>
      ) : (
        <details>
          <summary class="axis">
            <span>{problems === 0 ? uptime : `${uptime}, ${view.words.with_problems(problems)}`}</span>
          </summary>
          {daysTable(name, rows.length > maxDays ? rows.slice(0, maxDays) : rows, view)}
          {rows.length > maxDays && (
            <p>
              <a href={href}>{view.words.every_day(scale.days)}</a>
            </p>
          )}
        </details>
      )}
    </li>
  );
}

/**
 * Renders a bar for each day.
 * @param problems the number of days with problems
 */
export function bars(view: View, monitor: MonitorData, problems: number, scale: BarScale) {
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={view.words.bars(scale.days, uptimeText(view, monitor, scale), problems)}
      dangerouslySetInnerHTML={{ __html: barPaths(monitor.days, scale) }}
    />
  );
}
