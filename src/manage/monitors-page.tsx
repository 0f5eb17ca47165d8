import { randomUUID } from 'node:crypto';
import { MONITOR_STATUSES } from '../monitors/monitor-status.js';
import { Shape } from '../page-documents/components/status.js';
import { SubmitButton } from './buttons.js';
import type { Errors, Labels } from './errors-of-fields.js';
import { Summary, TextArea, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import { matching } from './monitor-grades.js';
import type { OwnMonitor, OwnProject } from './project-contents.js';
import type { Reply } from './reply.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

/** Number of monitors that a screen shows. */
const ROWS = 50;

const { monitors: words } = WORDS;

/** Labels of a monitor's fields. */
export const MONITOR_LABELS: Labels = { name: words.name, description: words.description };

/** Values in the form for a new monitor. */
export interface MonitorValues {
  name: string;
  description: string;
}

interface Page {
  project: OwnProject;
  monitors: OwnMonitor[];
  /** Text that the names contain; empty: all. */
  find: string;
  /** Page of the list, from 0. Unvalidated. */
  page: number;
  values: MonitorValues;
  errors?: Errors | undefined;
}

/** Renders the monitors of a project, worst status first, with a search, and the form of a new one. */
export function renderMonitors(
  visit: Visit,
  { project, monitors, find, page: sent, values, errors }: Page,
): Reply {
  const found = matching(monitors, find);
  const rank = ({ status }: OwnMonitor) => MONITOR_STATUSES.indexOf(status);
  const all = monitors.filter(({ id }) => found.has(id)).toSorted((one, other) => rank(one) - rank(other));
  const last = Math.max(0, Math.ceil(all.length / ROWS) - 1);
  const page = Number.isInteger(sent) ? Math.min(Math.max(sent, 0), last) : 0;
  const linkTo = (other: number) =>
    `/manage/monitors?${new URLSearchParams({ project: project.id, ...(find !== '' && { find }), page: String(other) })}`;
  return screen({
    title: words.title,
    visit,
    current: 'monitors',
    status: errors ? 400 : 200,
    children: (
      <>
        <h1>{words.title}</h1>
        <Summary
          text={visit.query.get('done') === 'deleted' ? WORDS.saving.deleted : undefined}
          role="status"
        />
        <p class="quiet">
          <bdi>{project.name}</bdi> · {words.count(monitors.length)}
        </p>
        {(monitors.length > ROWS || find !== '') && (
          <form class="find" method="get" action="/manage/monitors" role="search">
            <input type="hidden" name="project" value={project.id} />
            <TextField name="find" type="search" label={words.find} value={find} />
            <button class="button plain" type="submit">
              {WORDS.incident.find_button}
            </button>
          </form>
        )}
        {all.length === 0 ? (
          <p>{find === '' ? words.none : WORDS.incident.found_none(find)}</p>
        ) : (
          <ul class="rows">
            {all.slice(page * ROWS, (page + 1) * ROWS).map(({ id, name, status }) => (
              <li class="row">
                <a href={`/manage/monitors/${id}`}>
                  <Shape status={status} />
                  <bdi class="what">{name}</bdi>
                  <span class="quiet">{WORDS.status[status]}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
        {last > 0 && (
          <nav class="actions" aria-label={words.pages}>
            {page > 0 && (
              <a class="button small" href={linkTo(page - 1)} rel="prev">
                {words.previous}
              </a>
            )}
            {page < last && (
              <a class="button small" href={linkTo(page + 1)} rel="next">
                {words.next}
              </a>
            )}
          </nav>
        )}
        {may(visit, 'monitors:write') && (
          <section>
            <h2>{words.add}</h2>
            <form class="form" method="post" action="/manage/monitors">
              <Token visit={visit} />
              <input type="hidden" name="project_id" value={project.id} />
              <input type="hidden" name="key" value={randomUUID()} />
              <Summary text={errors?.['form']} />
              <TextField
                name="name"
                label={words.name}
                hint={words.name_hint}
                value={values.name}
                errors={errors}
              />
              <TextArea
                name="description"
                label={words.description}
                hint={words.description_hint}
                rows={2}
                value={values.description}
                errors={errors}
              />
              <SubmitButton text={words.add} />
            </form>
          </section>
        )}
      </>
    ),
  });
}
