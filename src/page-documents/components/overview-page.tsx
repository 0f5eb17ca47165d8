import { IMPACTS } from '../../incidents/incident-status.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { type IncidentData, type Overview, RECENT_DAYS } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { signOf } from '../../page-model/sign.js';
import { headlineText } from '../../summaries/headline.js';
import { scaleOf } from './bars.js';
import { Alert, Headline, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { OpenIncident } from './incident.js';
import { PlannedMaintenance } from './maintenance.js';
import { eventsByMonitor } from './notable-days.js';
import { RecentDays } from './past-list.js';
import { Sections } from './section.js';
import { WhatIsWrong } from './what-is-wrong.js';

/** Maximum number of monitors for which all sections are initially open. */
const MAX_MONITORS_OPEN = 30;

/** Maximum number of rows in the tables of days of all monitors together. Each monitor has up to 30 rows. */
const MAX_ROWS = 600;

/** Renders the overview: current problems, all monitors, upcoming maintenance windows, and past incidents and maintenance windows. */
export function renderOverview(overview: Overview, view: View): PageDocument {
  const { page, headline, counts, sections, incidents, maintenances, recent } = overview;
  const context = {
    view,
    scale: page.show_history ? scaleOf(page) : undefined,
    events: eventsByMonitor(overview.day_incidents, [...maintenances, ...recent.maintenances]),
    maxDays: Math.max(5, Math.min(30, Math.floor(MAX_ROWS / counts.total))),
  };
  const nothingPast = recent.incidents.length + recent.maintenances.length === 0;
  const nothing =
    incidents.length + maintenances.length === 0 ? view.words.nothing_past : view.words.nothing_else_past;
  const sign = signOf(overview);
  const text = headlineText(headline, incidents.length, view.words.headline);
  const active = maintenances.filter(({ status }) => status === 'in_progress');
  const upcoming = maintenances.filter(({ status }) => status !== 'in_progress');
  return renderPage({
    page,
    view,
    part: { kind: 'overview' },
    title: text,
    status: sign,
    children: (
      <>
        <Alert sign={sign}>
          <Headline sign={sign} text={text} />
          <WhatIsWrong current={overview} view={view} />
          <LastUpdated view={view} page={page} href={view.links.to({ kind: 'overview' })} />
        </Alert>
        {incidents.length > 0 && (
          <section class="now" aria-labelledby="open">
            <h2 id="open" class="unseen">
              {view.words.open_incidents}
            </h2>
            {incidents.toSorted(worstFirst).map((incident) => (
              <OpenIncident incident={incident} view={view} />
            ))}
          </section>
        )}
        {active.length > 0 && (
          <section class="now" aria-labelledby="active">
            <h2 id="active" class="unseen">
              {view.words.maintenance_now}
            </h2>
            {active.map((maintenance) => (
              <PlannedMaintenance maintenance={maintenance} view={view} />
            ))}
          </section>
        )}
        <Sections sections={sections} context={context} isOpen={counts.total <= MAX_MONITORS_OPEN} />
        {upcoming.length > 0 && (
          <section aria-labelledby="planned">
            <h2 id="planned">{view.words.planned}</h2>
            {upcoming.map((maintenance) => (
              <PlannedMaintenance maintenance={maintenance} view={view} />
            ))}
          </section>
        )}
        <section aria-labelledby="past">
          <h2 id="past">{view.words.past}</h2>
          {nothingPast ? (
            <p>{nothing}</p>
          ) : (
            <RecentDays {...recent} open={incidents} count={RECENT_DAYS} view={view} level={3} />
          )}
          {page.show_history && (
            <p>
              <a href={view.links.to({ kind: 'history', month: view.dates.monthOf(page.as_of) })}>
                {view.words.full_history}
              </a>
            </p>
          )}
        </section>
      </>
    ),
  });
}

/** Sorts incidents by impact. Incidents with the same impact stay newest first. */
const worstFirst = (one: IncidentData, other: IncidentData) =>
  IMPACTS.indexOf(other.impact) - IMPACTS.indexOf(one.impact);
