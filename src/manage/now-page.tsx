import type { ComponentChildren } from 'preact';
import { SIGN_OF_IMPACT } from '../page-documents/components/incident.js';
import { Shape } from '../page-documents/components/status.js';
import { STATUS_CLASS } from '../page-documents/components/status-shapes.js';
import { datesOf } from '../page-model/dates.js';
import { worstOf } from '../monitors/monitor-status.js';
import type { Sign } from '../page-model/sign.js';
import { Drafts } from './draft-list.js';
import { Summary } from './fields.js';
import { screen } from './frame.js';
import { isBad } from './monitor-grades.js';
import { Affected, Monitors, OutgoingList } from './now-lists.js';
import type { OpenIncident } from '../incidents/incidents.repository.js';
import type { PlannedMaintenance } from '../maintenances/maintenances.repository.js';
import type { Now, ProjectNow } from './now.service.js';
import type { Reply } from './reply.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

const { now: words } = WORDS;

/** Returns the worst sign of the open incidents and the monitors. It is not calm if there are projects that the screen does not show. */
function signOf({ projects, hasMoreProjects }: Now): Sign {
  const incidents = projects.flatMap((one) => one.incidents);
  const signs = incidents.flatMap(({ impact }) => {
    const sign = SIGN_OF_IMPACT[impact];
    return sign === 'neutral' ? [] : [sign];
  });
  const bad = projects.flatMap(({ monitors }) => monitors.filter(isBad));
  const worst = worstOf([...signs, ...bad.map(({ status }) => status)]);
  return worst ?? (incidents.length > 0 || hasMoreProjects ? 'neutral' : 'operational');
}

/** Returns the text below the headline if there is no open incident; undefined if the monitors do not tell that all is well. */
function calmText({ projects, hasMoreProjects }: Now): string | undefined {
  const monitors = projects.flatMap((one) => one.monitors);
  const bad = monitors.filter(isBad);
  if (bad.length > 0) return words.unexplained(bad.length);
  const isCalm = monitors.every(({ status }) => status === 'operational');
  return isCalm && monitors.length > 0 && !hasMoreProjects ? words.calm_text : undefined;
}

/** Renders the first screen. */
export function renderNow(visit: Visit, now: Now): Reply {
  const { projects, hasMoreProjects, outgoing } = now;
  const open = projects.reduce((sum, { incidents: [first] }) => sum + (first?.total ?? 0), 0);
  const isNew = projects.length > 0 && projects.every(({ monitors }) => monitors.length === 0);
  const [sign, calm] = [signOf(now), calmText(now)];
  return screen({
    title: words.title,
    visit,
    current: 'now',
    sign,
    children: (
      <>
        <h1 class="headline-now">
          <Shape status={sign} />
          {open > 0 ? words.open(open, hasMoreProjects) : words.calm(hasMoreProjects)}
        </h1>
        {visit.query.get('done') === 'welcome' && (
          <Summary text={WORDS.account.offer} role="status">
            <span class="next">
              <a href="/manage/account">{WORDS.account.offer_link}</a>
            </span>
          </Summary>
        )}
        {open === 0 && calm !== undefined && <p class="quiet">{calm}</p>}
        <Actions visit={visit} projects={projects} />
        {projects.length === 0 && <p>{words.no_projects}</p>}
        {isNew && <FirstDay visit={visit} />}
        {projects.filter(hasContents).map((one) => (
          <ProjectSection visit={visit} now={one} isNamed={projects.length > 1} />
        ))}
        {hasMoreProjects && <p class="quiet">{words.only_some_projects(projects.length)}</p>}
        {!isNew && (
          <section>
            <h2>{words.going_out}</h2>
            <OutgoingList outgoing={outgoing} />
          </section>
        )}
      </>
    ),
  });
}

function hasContents({ incidents, windows, drafts, monitors }: ProjectNow): boolean {
  return incidents.length + windows.length + drafts.length + monitors.length > 0;
}

/** Renders the two buttons. With one project, they lead directly to its form. */
function Actions({ visit, projects }: { visit: Visit; projects: readonly ProjectNow[] }) {
  const [only] = projects;
  const query = projects.length === 1 && only ? `?project=${only.project.id}` : '';
  return (
    <p class="actions">
      {may(visit, 'incidents:write') && projects.length > 0 && (
        <a class="button main" href={`/manage/incidents/new${query}`}>
          {words.report}
        </a>
      )}
      {may(visit, 'maintenances:write') && projects.length > 0 && (
        <a class="button" href={`/manage/maintenances/new${query}`}>
          {words.schedule}
        </a>
      )}
    </p>
  );
}

function FirstDay({ visit }: { visit: Visit }) {
  return (
    <section class="card neutral">
      <h2>{words.first_title}</h2>
      <p>{words.first_text}</p>
      <ol class="steps">
        <li>
          {may(visit, 'monitors:write') ? (
            <a href="/manage/monitors">{words.first_monitors}</a>
          ) : (
            words.first_monitors
          )}
        </li>
        <li>
          <a href="/manage/pages">{words.first_pages}</a>
        </li>
        <li>{words.first_incident}</li>
      </ol>
    </section>
  );
}

function ProjectSection({ visit, now, isNamed }: { visit: Visit; now: ProjectNow; isNamed: boolean }) {
  const { project, incidents, windows, monitors, zone } = now;
  const dates = datesOf('en', zone, new Date());
  const older = (incidents[0]?.total ?? 0) - incidents.length;
  const further = (windows[0]?.total ?? 0) - windows.length;
  const Heading = isNamed ? 'h3' : 'h2';
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return (
    <section class="project">
      {isNamed && (
        <h2>
          <bdi>{project.name}</bdi>
        </h2>
      )}
      {incidents.length > 0 && (
        <ul class="rows">
          {incidents.map((incident) => (
            <IncidentRow incident={incident} ago={agoOf(dates, incident.started_at)}>
              <Affected of={incident} names={names} />
            </IncidentRow>
          ))}
        </ul>
      )}
      {older > 0 && (
        <p class="quiet">
          <a href={`/manage/incidents?project=${project.id}&state=open`}>{words.further_incidents(older)}</a>
        </p>
      )}
      {now.drafts.length > 0 && (
        <Drafts visit={visit} now={now} heading={Heading} agoOf={(time) => agoOf(dates, time)} />
      )}
      {windows.length > 0 && (
        <>
          <Heading>{words.maintenances}</Heading>
          <ul class="rows">
            {windows.map((window) => (
              <WindowRow window={window} when={dates.period(window.starts_at, window.ends_at)}>
                <Affected of={window} names={names} />
              </WindowRow>
            ))}
          </ul>
          {further > 0 && (
            <p class="quiet">
              <a href={`/manage/maintenances?project=${project.id}`}>{words.further_windows(further)}</a>
            </p>
          )}
        </>
      )}
      {monitors.length > 0 && (
        <Monitors visit={visit} projectId={project.id} monitors={monitors} heading={Heading} />
      )}
    </section>
  );
}

/** Returns the distance of a time from now, or the time. */
function agoOf(dates: ReturnType<typeof datesOf>, time: Date): string {
  return dates.relative(time) ?? dates.time(time);
}

function IncidentRow({
  incident: { id, title, status, impact },
  ago,
  children,
}: {
  incident: OpenIncident;
  ago: string;
  children: ComponentChildren;
}) {
  const sign = SIGN_OF_IMPACT[impact];
  return (
    <li class={`row ${STATUS_CLASS[sign]}`}>
      <a href={`/manage/incidents/${id}`}>
        <Shape status={sign} />
        <bdi class="what">{title}</bdi>
        <span class="quiet">
          {WORDS.incident_status[status]} · {ago}
        </span>
        {children}
      </a>
    </li>
  );
}

function WindowRow({
  window: { id, title, status },
  when,
  children,
}: {
  window: PlannedMaintenance;
  when: string;
  children: ComponentChildren;
}) {
  return (
    <li class="row maintenance">
      <a href={`/manage/maintenances/${id}`}>
        <Shape status="under_maintenance" />
        <bdi class="what">{title}</bdi>
        <span class="quiet">
          {WORDS.maintenance_status[status]} · {when}
        </span>
        {children}
      </a>
    </li>
  );
}
