import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import type {
  AffectedData,
  IncidentData,
  MaintenanceUpdateData,
  UpdateData,
} from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { Sign } from '../../page-model/sign.js';
import { Shape } from './status.js';
import { STATUS_CLASS } from './status-shapes.js';
import { Markdown, Name, Spaced } from './text.js';
import { RelativeTime, Time } from './time.js';
import { updateText } from './update-text.js';

/** Maximum number of updates per incident or maintenance window on the overview. Its own page shows all. */
const MAX_UPDATES = 5;

/** Sign of an impact. */
export const SIGN_OF_IMPACT: Record<Impact, Sign> = {
  none: 'neutral',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
};

/** Renders an open incident on the overview, with its newest update. */
export function OpenIncident({ incident, view }: { incident: IncidentData; view: View }) {
  const { id, title, impact, updates } = incident;
  const href = view.links.to({ kind: 'incident', id });
  return (
    <article class={`card ${STATUS_CLASS[SIGN_OF_IMPACT[impact]]}`}>
      <h3>
        <a href={href}>
          <Name>{title}</Name>
        </a>
      </h3>
      <IncidentFacts view={view} incident={incident} />
      <LatestUpdates view={view} updates={updates} href={href} />
      <AffectedMonitors view={view} incident={incident} />
    </article>
  );
}

/**
 * Renders the newest update of an incident or a maintenance window on the overview, and the collapsed earlier ones.
 * @param href the page with all updates
 */
export function LatestUpdates({ updates, href, view }: { updates: AnyUpdate[]; href: string; view: View }) {
  const earlier = updates.length - 1;
  return (
    <>
      <Updates view={view} updates={updates.slice(0, 1)} level={4} />
      {earlier > 0 && (
        <details class="earlier">
          <summary>{view.words.earlier_updates(earlier)}</summary>
          <Updates view={view} updates={updates.slice(1, MAX_UPDATES)} level={4} />
          {updates.length > MAX_UPDATES && (
            <p>
              <a href={href}>{view.words.all_updates(updates.length)}</a>
            </p>
          )}
        </details>
      )}
    </>
  );
}

/**
 * Renders the impact, if there is one, and the time of an incident. The status comes first if it is resolved.
 * @param hasStatus whether it also comes first while the incident is open. On the overview, the newest update shows it.
 */
export function IncidentFacts({
  incident,
  view,
  hasStatus = false,
}: {
  incident: IncidentData;
  view: View;
  hasStatus?: boolean;
}) {
  const { status, impact, started_at, resolved_at } = incident;
  const { words } = view;
  const impactText = impact === 'none' ? null : words.impact[impact];
  const isResolved = status === 'resolved';
  const isStatusFirst = isResolved || hasStatus;
  return (
    <p class="facts">
      <Spaced>
        <span class="status">
          <Shape status={isResolved ? 'operational' : SIGN_OF_IMPACT[impact]} />
          {isStatusFirst ? words.incident_status[status] : (impactText ?? words.incident_status[status])}
        </span>
        {isStatusFirst && impactText !== null && <span>{impactText}</span>}
        <Period view={view} from={started_at} to={resolved_at} />
      </Spaced>
    </p>
  );
}

/** Renders the monitors that an open incident affects now, or all monitors of a resolved one with their worst status. */
export function AffectedMonitors({ incident, view }: { incident: IncidentData; view: View }) {
  const { status, affected, affected_now } = incident;
  return status === 'resolved' ? (
    <Affected view={view} word={view.words.affected} affected={affected} />
  ) : (
    <Affected view={view} word={view.words.affects} affected={affected_now} />
  );
}

/**
 * Renders the duration, the start and the end: `2 h`, `25 Nov, 15:20–17:20 EST`, without a duration of less than a second. On narrow
 * screens, the times have a line of their own, where both fit.
 * @param to null: not yet ended
 */
export function Period({ from, to, view }: { from: Date; to: Date | null; view: View }) {
  const seconds = ((to ?? view.dates.now).getTime() - from.getTime()) / 1_000;
  return (
    <>
      {seconds >= 1 && <span>{view.dates.duration(seconds).replaceAll(' ', '\u00a0')}</span>}{' '}
      <Time at={from} view={view} {...(to ? { to } : { text: view.words.since })} />
    </>
  );
}

/** Renders monitors after a word, worst status first: `Affects API, Web (major outage), Login (degraded performance)`. */
function Affected({ word, affected, view }: { word: string; affected: AffectedData[]; view: View }) {
  if (affected.length === 0) return null;
  const sorted = MONITOR_STATUSES.flatMap((status) => affected.filter((one) => one.status === status));
  return (
    <p class="affected">
      {word}{' '}
      {sorted.map(({ name, status }, index) => (
        <>
          {index > 0 && view.words.comma}
          <Name>{name}</Name>
          {sorted[index + 1]?.status !== status &&
            view.words.in_parentheses(view.words.status_in_text[status])}
        </>
      ))}
    </p>
  );
}

/** An update of an incident or of a maintenance window, which has no status. */
type AnyUpdate = UpdateData | MaintenanceUpdateData;

/**
 * Renders updates, newest first. The dot of an update has the color of the incident's impact, or green if it is resolved.
 * @param level the level of headings in them
 * @param sign the color of the others; omitted: the color around them
 */
export function Updates({
  updates,
  level,
  view,
  sign,
}: {
  updates: AnyUpdate[];
  level: number;
  view: View;
  sign?: Sign;
}) {
  const classOf = (status?: IncidentStatus) => {
    const own = status === 'resolved' ? 'operational' : sign;
    return own && STATUS_CLASS[own];
  };
  return (
    <ol class="updates">
      {updates.map((update) => (
        <li id={`update-${update.id}`} class={classOf('status' in update ? update.status : undefined)}>
          <p>
            {'status' in update && <strong>{view.words.incident_status[update.status]}</strong>}{' '}
            <RelativeTime at={update.posted_at} view={view} />
          </p>
          <Markdown text={updateText(view, update)} level={level} />
        </li>
      ))}
    </ol>
  );
}
