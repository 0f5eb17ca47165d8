import { IMPACTS } from '../../incidents/incident-status.js';
import type { PageDocument } from '../documents/page-document.js';
import { monthOf } from '../data/months.js';
import type { DayIncidentData, IncidentData, Overview } from '../data/page-data.js';
import type { View } from '../documents/view.js';
import { signOf } from '../documents/sign.js';
import { scaleOf } from './bars.js';
import { Headline, LastUpdated } from './headline.js';
import { headlineText } from './headline-text.js';
import { renderPage } from './html-page.js';
import { OpenIncident } from './incident.js';
import { PlannedMaintenance } from './maintenance.js';
import { PastList } from './past-list.js';
import { Section } from './section.js';

/** Maximum number of monitors for which all sections are initially open. */
const MAX_MONITORS_OPEN = 30;

/** Maximum number of rows in the tables of days of all monitors together. Each monitor has up to 30 rows. */
const MAX_ROWS = 600;

/** Renders the overview: current problems, all monitors, and past incidents and maintenance windows. */
export function renderOverview(overview: Overview, view: View): PageDocument {
  const { page, counts, sections, incidents, maintenances, recent } = overview;
  const context = {
    view,
    scale: page.show_history ? scaleOf(page) : undefined,
    incidents: byMonitor(overview.day_incidents),
    maxDays: Math.max(5, Math.min(30, Math.floor(MAX_ROWS / counts.total))),
  };
  const nothingPast = recent.incidents.length + recent.maintenances.length === 0;
  const nothing =
    incidents.length + maintenances.length === 0 ? view.words.nothing_past : view.words.nothing_else_past;
  const sign = signOf(overview);
  const text = headlineText(view, overview);
  return renderPage({
    page,
    view,
    part: { kind: 'overview' },
    title: text,
    status: sign,
    children: (
      <>
        <Headline sign={sign} text={text} />
        <LastUpdated view={view} page={page} href={view.links.to({ kind: 'overview' })} />
        {incidents.length > 0 && (
          <section aria-labelledby="open">
            <h2 id="open">{view.words.open_incidents}</h2>
            {incidents.toSorted(worstFirst).map((incident) => (
              <OpenIncident incident={incident} view={view} />
            ))}
          </section>
        )}
        {maintenances.length > 0 && (
          <section aria-labelledby="planned">
            <h2 id="planned">{view.words.planned}</h2>
            {maintenances.map((maintenance) => (
              <PlannedMaintenance maintenance={maintenance} view={view} />
            ))}
          </section>
        )}
        {sections.map((section) => (
          <Section section={section} context={context} isOpen={counts.total <= MAX_MONITORS_OPEN} />
        ))}
        <section aria-labelledby="past">
          <h2 id="past">{view.words.past}</h2>
          {nothingPast ? <p>{nothing}</p> : <PastList {...recent} view={view} level={3} />}
          {page.show_history && (
            <p>
              <a href={view.links.to({ kind: 'history', month: monthOf(page.as_of) })}>
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

function byMonitor(incidents: DayIncidentData[]): Map<string, DayIncidentData[]> {
  const map = new Map<string, DayIncidentData[]>();
  for (const incident of incidents) {
    const of = map.get(incident.monitor_id);
    if (of) of.push(incident);
    else map.set(incident.monitor_id, [incident]);
  }
  return map;
}
