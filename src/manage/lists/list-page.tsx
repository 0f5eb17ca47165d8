import type { ComponentChildren } from 'preact';
import type { IncidentDto } from '../../incidents/dto/incident.dto.js';
import type { MaintenanceDto } from '../../maintenances/dto/maintenance.dto.js';
import { SIGN_OF_IMPACT } from '../../page-documents/components/incident.js';
import { Shape } from '../../page-documents/components/status.js';
import { STATUS_CLASS } from '../../page-documents/components/status-shapes.js';
import { type Dates, datesOf } from '../../page-model/dates.js';
import { LinkButton } from '../buttons.js';
import { screen } from '../frame.js';
import { Pager, type Part } from '../pager.js';
import type { OwnProject } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Tabs } from '../tabs.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { lists: words } = WORDS;

/** States by which incidents are chosen, by the value in the query. */
export const STATES = ['all', 'open', 'past'] as const;

/** Part of the incidents that a list contains. */
export type State = (typeof STATES)[number];

const INCIDENTS = '/manage/incidents';
const MAINTENANCES = '/manage/maintenances';

/** A part of a project's list. */
interface Listed<Row> extends Part<Row> {
  project: OwnProject;
  /** IANA name. */
  zone: string;
}

/** Renders incidents of a project, newest first. */
export function renderIncidents(
  visit: Visit,
  { project, rows, next, zone, state }: Listed<IncidentDto> & { state: State },
): Reply {
  const dates = datesOf('en', zone, new Date());
  return screen({
    title: words.incidents,
    visit,
    children: (
      <>
        <Head project={project} title={words.incidents} />
        {may(visit, 'incidents:write') && (
          <LinkButton path={`${INCIDENTS}/new?project=${project.id}`} text={WORDS.now.report} />
        )}
        <States project={project} state={state} />
        {rows.length === 0 && <p>{words.no_incidents}</p>}
        <ul class="rows">
          {rows.map((incident) => (
            <IncidentRow incident={incident} dates={dates} />
          ))}
        </ul>
        <Pager visit={visit} path={INCIDENTS} next={next} />
      </>
    ),
  });
}

/** Renders maintenance windows of a project, newest first. */
export function renderMaintenances(
  visit: Visit,
  { project, rows, next, zone }: Listed<MaintenanceDto>,
): Reply {
  const dates = datesOf('en', zone, new Date());
  return screen({
    title: words.maintenances,
    visit,
    children: (
      <>
        <Head project={project} title={words.maintenances} />
        {may(visit, 'maintenances:write') && (
          <LinkButton path={`${MAINTENANCES}/new?project=${project.id}`} text={WORDS.now.schedule} />
        )}
        {rows.length === 0 && <p>{words.no_maintenances}</p>}
        <ul class="rows">
          {rows.map(({ id, title, status, starts_at, ends_at }) => (
            <Row
              path={`${MAINTENANCES}/${id}`}
              sign={status === 'cancelled' ? 'neutral' : 'under_maintenance'}
              title={title}
            >
              {WORDS.maintenance_status[status]} · {dates.period(starts_at, ends_at)}
            </Row>
          ))}
        </ul>
        <Pager visit={visit} path={MAINTENANCES} next={next} />
      </>
    ),
  });
}

function Head({ project, title }: { project: OwnProject; title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p class="quiet">
        <bdi>{project.name}</bdi>
      </p>
    </>
  );
}

function States({ project, state }: { project: OwnProject; state: State }) {
  return (
    <Tabs
      label={words.filter}
      tabs={STATES.map((one) => ({
        path: `${INCIDENTS}?project=${project.id}${one === 'all' ? '' : `&state=${one}`}`,
        text: words[one],
        isCurrent: one === state,
      }))}
    />
  );
}

function IncidentRow({
  incident: { id, title, status, impact, started_at, resolved_at },
  dates,
}: {
  incident: IncidentDto;
  dates: Dates;
}) {
  const start = dates.time(started_at);
  const seconds = resolved_at ? (resolved_at.getTime() - started_at.getTime()) / 1000 : 0;
  const parts = [
    WORDS.incident_status[status],
    ...(impact === 'none' ? [] : [words.impact[impact]]),
    resolved_at ? start : words.since(start),
    ...(seconds > 0 ? [dates.duration(seconds)] : []),
  ];
  return (
    <Row path={`${INCIDENTS}/${id}`} sign={SIGN_OF_IMPACT[impact]} title={title}>
      {parts.join(' · ')}
    </Row>
  );
}

interface RowProps {
  path: string;
  sign: keyof typeof STATUS_CLASS;
  title: string;
  children: ComponentChildren;
}

function Row({ path, sign, title, children }: RowProps) {
  return (
    <li class={`row ${STATUS_CLASS[sign]}`}>
      <a href={path}>
        <Shape status={sign} />
        <bdi class="what">{title}</bdi>
        <span class="quiet">{children}</span>
      </a>
    </li>
  );
}
