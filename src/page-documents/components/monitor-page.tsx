import { sumOf } from '../../summaries/days/uptime.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import type { PageDocument } from '../../page-model/page-document.js';
import type { MonitorData, MonitorPart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { type BarScale, daysBefore, scaleOf } from './bars.js';
import { daysTable } from './days-table.js';
import { BackLink, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { bars, cardData } from './monitor-row.js';
import { eventsByMonitor, isAlwaysOperational, notableDays } from './notable-days.js';
import { ResponseTimes } from './response-times.js';
import { Status } from './status.js';
import { Name, Spaced } from './text.js';
import { shownUptime, sinceText, uptimeText } from './uptime-text.js';

const DAY_SECONDS = 86_400;

/** Renders one monitor, with every day on which it was not always operational. */
export function renderMonitor(
  { page, monitor, response_times, day_incidents }: MonitorPart,
  view: View,
): PageDocument {
  const part = { kind: 'monitor', id: monitor.monitor_id } as const;
  const { name, description, status, days } = monitor;
  const scale = scaleOf(page);
  const events = eventsByMonitor(day_incidents, []).get(monitor.monitor_id) ?? [];
  const rows = notableDays(days, events, scale.first);
  const since = sinceText(view, monitor, scale);
  const uptime = uptimeText(view, monitor, scale);
  return renderPage({
    page,
    view,
    part,
    title: name,
    status,
    children: (
      <>
        <BackLink view={view} />
        <h1 class="title">
          <Name>{name}</Name>
        </h1>
        <p class="facts">
          <Spaced>
            <Status status={status} view={view} />
            <span>
              {shownUptime(monitor, scale) === null
                ? uptime
                : view.words.uptime_in(uptime, page.history_days)}
            </span>
            {since !== undefined && since !== uptime && <span>{since}</span>}
          </Spaced>
        </p>
        {description !== '' && (
          <p class="lead" dir="auto">
            {description}
          </p>
        )}
        <div
          class="large"
          {...cardData(view, scale)}
          dangerouslySetInnerHTML={{ __html: bars(view, monitor, scale) }}
        />
        <p class="axis large" />
        {isAlwaysOperational(days) ? (
          <p class="lead">{view.words.always_operational(page.history_days)}</p>
        ) : (
          <>
            {rows.length > 0 && (
              <section aria-labelledby="days">
                <h2 id="days">{view.words.details}</h2>
                <div dangerouslySetInnerHTML={{ __html: daysTable(name, rows, view) }} />
              </section>
            )}
            <Totals view={view} monitor={monitor} scale={scale} />
          </>
        )}
        {response_times && <ResponseTimes times={response_times} view={view} />}
        <LastUpdated view={view} page={page} href={view.links.to(part)} />
      </>
    ),
  });
}

/** Renders the total time in each status since the monitor exists. */
function Totals({ monitor, scale, view }: { monitor: MonitorData; scale: BarScale; view: View }) {
  const before = daysBefore(monitor, scale);
  const days = monitor.days.slice(before);
  const sum = sumOf(days);
  if (before > 0) sum.unknown -= days[0]?.unknown ?? 0;
  // Days that are missing in the data were always operational.
  sum.operational += Math.max(0, scale.days - monitor.days.length) * DAY_SECONDS;
  // A shorter time has no text.
  const shown = MONITOR_STATUSES.toReversed().filter((status) => sum[status] >= 1);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="total">
      <h2 id="total">{view.words.total}</h2>
      <table class="days">
        <caption>{view.words.last_days(scale.days)}</caption>
        <thead>
          <tr>
            <th scope="col">{view.words.status_column}</th>
            <th scope="col">{view.words.share}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((status) => (
            <tr>
              <th scope="row">
                <Status status={status} view={view} />
              </th>
              <td>{view.dates.duration(sum[status])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
