import type { IncidentUpdateDto } from '../incidents/dto/incident-update.dto.js';
import type { IncidentDto } from '../incidents/dto/incident.dto.js';
import type { AffectedMonitor } from '../incidents/incident-status.js';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import {
  AffectedMonitors,
  IncidentFacts,
  SIGN_OF_IMPACT,
  Updates,
} from '../page-documents/components/incident.js';
import { STATUS_CLASS } from '../page-documents/components/status-shapes.js';
import { Markdown, Name } from '../page-documents/components/text.js';
import { type EventText, incidentText } from '../page-model/event-text.js';
import type { AffectedData, IncidentData, UpdateData } from '../page-model/page-data.js';
import { plainName, plainText } from '../page-model/plain-text.js';
import type { View } from '../page-model/view.js';
import type { IncidentSubject } from '../page-model/mail-content.js';
import type { OwnMonitor } from './project-contents.js';
import type { VisitorsView } from './visitors-view.js';

/** Returns an incident as the public page shows it. @param updates newest first */
export function toIncidentData(
  incident: IncidentDto,
  updates: readonly IncidentUpdateDto[],
  monitors: readonly OwnMonitor[],
): IncidentData {
  const names = new Map(monitors.map(({ id, name }) => [id, plainName(name)]));
  const affectedIn = (list: readonly AffectedMonitor[]): AffectedData[] =>
    list
      .filter(({ status }) => status !== 'operational')
      .map((one) => ({ ...one, name: names.get(one.monitor_id) ?? '' }));
  return {
    ...incident,
    title: plainName(incident.title),
    updates: updates.map((update): UpdateData => ({
      ...update,
      body: plainText(update.body),
      affected: update.monitors && affectedIn(update.monitors),
    })),
    affected: affectedIn(worstIn(updates)),
    affected_now: affectedIn(incident.monitors),
  };
}

/** Returns each monitor of the updates with its worst status. */
function worstIn(updates: readonly IncidentUpdateDto[]): AffectedMonitor[] {
  const worst = new Map<string, ReportedStatus>();
  for (const { monitor_id, status } of updates.flatMap(({ monitors }) => monitors ?? [])) {
    const rank = REPORTED_STATUSES.indexOf(worst.get(monitor_id) ?? 'operational');
    if (REPORTED_STATUSES.indexOf(status) >= rank) worst.set(monitor_id, status);
  }
  return [...worst].map(([monitor_id, status]) => ({ monitor_id, status }));
}

/**
 * Returns a view that names the impact of an incident by the state of its monitors, as the forms do. With the public page's own words, a
 * partial outage would be a “major impact” beside the choice “major outage”.
 */
export function withStates(view: VisitorsView): VisitorsView {
  const { degraded_performance: minor, partial_outage: major, major_outage: critical } = view.words.status;
  return { ...view, words: { ...view.words, impact: { minor, major, critical } } };
}

interface Props {
  incident: IncidentData;
  view: View;
  /** Whether it is on the screen of the incident, whose title is above, and shows all updates. */
  isWhole?: boolean;
}

/** Renders an incident as the public page shows it, without links. */
export function IncidentPicture({ incident, view, isWhole = false }: Props) {
  const updates = isWhole ? incident.updates : incident.updates.slice(0, 3);
  return (
    <article class={`card ${STATUS_CLASS[SIGN_OF_IMPACT[incident.impact]]}`}>
      {!isWhole && (
        <h3>
          <Name>{incident.title}</Name>
        </h3>
      )}
      <IncidentFacts view={view} incident={incident} hasStatus={isWhole} />
      <Updates view={view} updates={updates} level={isWhole ? 3 : 4} />
      <AffectedMonitors view={view} incident={incident} />
      {incident.postmortem !== null && (
        <>
          <p class="label">{view.words.postmortem}</p>
          <Markdown text={plainText(incident.postmortem)} level={isWhole ? 3 : 4} />
        </>
      )}
    </article>
  );
}

/** Returns the texts of mail about the newest update of an incident. */
export function mailText(
  view: VisitorsView,
  type: IncidentSubject['type'],
  incident: IncidentData,
): EventText | undefined {
  const [update] = incident.updates;
  const page = { language: view.language, time_zone: view.dates.timeZone };
  return update && incidentText(page, { type, incident, update });
}
