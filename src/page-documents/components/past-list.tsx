import type { ComponentChildren } from 'preact';
import { dayAfter } from '../../summaries/days/day-range.js';
import {
  type IncidentData,
  MAX_PAST_UPDATES,
  MAX_RECENT_UPDATES,
  type MaintenanceData,
  type MaintenanceUpdateData,
  type UpdateData,
} from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { Sign } from '../../page-model/sign.js';
import { AffectedMonitors, IncidentFacts, SIGN_OF_IMPACT, Updates } from './incident.js';
import { MaintenanceFacts } from './maintenance.js';
import { Markdown, Name } from './text.js';

interface Props {
  incidents: IncidentData[];
  maintenances: MaintenanceData[];
  view: View;
  /** Heading level of days. */
  level: 2 | 3;
}

/** Level of days on the overview, below the heading of its list. */
const OVERVIEW_LEVEL = 3;

interface Entry {
  at: Date;
  content: ComponentChildren;
}

/**
 * Renders incidents and maintenance windows by the day in the time zone of the page on which they started, newest first, with
 * their newest updates.
 */
export function PastList(props: Props) {
  return (
    <div class="past">
      <Zone view={props.view} />
      {[...byDay(props)].map(([day, entries]) => (
        <Day day={day} entries={entries} {...props} />
      ))}
    </div>
  );
}

/**
 * Renders the last days as {@link PastList} does, with consecutive days without any in one line. Days of open incidents have no
 * line, because these are listed elsewhere.
 * @param count number of days, including today. Incidents that started before are listed at the end.
 */
export function RecentDays({ open, count, ...props }: Props & { open: IncidentData[]; count: number }) {
  const { view, incidents, maintenances, level } = props;
  const { dayOf, now } = view.dates;
  const days = byDay(props);
  const busy = [
    ...[...open, ...incidents].map((one) => [dayOf(one.started_at), dayOf(one.resolved_at ?? now)] as const),
    ...maintenances.map((one) => [dayOf(one.starts_at), dayOf(one.ended_at)] as const),
  ];
  const isBusy = (day: string) => busy.some(([from, to]) => from <= day && day <= to);
  const content: ComponentChildren[] = [];
  let calm: string[] = []; // the current run of days without any, newest first
  const endCalm = () => {
    const [last, first] = [calm[0], calm.at(-1)];
    if (first !== undefined && last !== undefined)
      content.push(<p class="calm">{view.words.no_incidents_on(view.dates.days(first, last))}</p>);
    calm = [];
  };
  const today = dayOf(now);
  for (let age = 0; age < count; age++) {
    const day = dayAfter(today, -age);
    const entries = days.get(day);
    if (!entries && !isBusy(day)) {
      calm.push(day);
      continue;
    }
    endCalm();
    if (entries) content.push(<Day day={day} entries={entries} view={view} level={level} />);
    days.delete(day);
  }
  endCalm();
  for (const [day, entries] of days)
    content.push(<Day day={day} entries={entries} view={view} level={level} />);
  return (
    <div class="past">
      <Zone view={view} />
      {content}
    </div>
  );
}

/** Returns the entries of each day, newest first. */
function byDay({ incidents, maintenances, view, level }: Props): Map<string, Entry[]> {
  const entries: Entry[] = [
    ...incidents.map((incident) => ({
      at: incident.started_at,
      content: <PastIncident incident={incident} view={view} level={level} />,
    })),
    ...maintenances.map((maintenance) => ({
      at: maintenance.starts_at,
      content: <PastMaintenance maintenance={maintenance} view={view} level={level} />,
    })),
  ];
  const days = new Map<string, Entry[]>();
  for (const entry of entries.toSorted((one, other) => other.at.getTime() - one.at.getTime())) {
    const day = view.dates.dayOf(entry.at);
    const of = days.get(day);
    if (of) of.push(entry);
    else days.set(day, [entry]);
  }
  return days;
}

/** Renders in which time zone the days begin and end, unless this is UTC, which the axis of the bars names. */
function Zone({ view }: { view: View }) {
  if (view.dates.timeZone === 'UTC') return null;
  return <p class="calm">{view.words.days_in_zone(view.dates.zone)}</p>;
}

interface DayProps {
  day: string;
  entries: Entry[];
  view: View;
  level: 2 | 3;
}

function Day({ day, entries, view, level }: DayProps) {
  const Heading = `h${level}` as const;
  return (
    <>
      <Heading>{view.dates.days(day, day)}</Heading>
      <ul>
        {entries.map(({ content }) => (
          <li>{content}</li>
        ))}
      </ul>
    </>
  );
}

function PastIncident({ incident, view, level }: { incident: IncidentData; view: View; level: 2 | 3 }) {
  const { id, title, impact, updates } = incident;
  const sign = SIGN_OF_IMPACT[impact];
  const href = view.links.to({ kind: 'incident', id });
  return (
    <>
      <Title title={title} href={href} level={level} />
      <IncidentFacts view={view} incident={incident} />
      <AffectedMonitors view={view} incident={incident} />
      <NewestUpdates updates={updates} href={href} view={view} level={level} sign={sign} />
    </>
  );
}

function PastMaintenance({
  maintenance,
  view,
  level,
}: {
  maintenance: MaintenanceData;
  view: View;
  level: 2 | 3;
}) {
  const { id, title, body, updates } = maintenance;
  const href = view.links.to({ kind: 'maintenance', id });
  return (
    <>
      <Title title={title} href={href} level={level} />
      <MaintenanceFacts view={view} maintenance={maintenance} />
      <Markdown text={body} level={level + 2} />
      {updates.length > 0 && <NewestUpdates updates={updates} href={href} view={view} level={level} />}
    </>
  );
}

function Title({ title, href, level }: { title: string; href: string; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h3' : 'h4';
  return (
    <Heading>
      <a href={href}>
        <Name>{title}</Name>
      </a>
    </Heading>
  );
}

/** Renders the newest updates, with a link to all of them if there are more. */
function NewestUpdates({
  updates,
  href,
  view,
  level,
  sign,
}: {
  updates: (UpdateData | MaintenanceUpdateData)[];
  href: string;
  view: View;
  level: 2 | 3;
  sign?: Sign;
}) {
  const shown = level === OVERVIEW_LEVEL ? MAX_RECENT_UPDATES : MAX_PAST_UPDATES;
  return (
    <>
      <Updates view={view} updates={updates.slice(0, shown)} level={level + 2} {...(sign && { sign })} />
      {updates.length > shown && (
        <p>
          <a href={href}>{view.words.more_updates}</a>
        </p>
      )}
    </>
  );
}
