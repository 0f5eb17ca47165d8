import type { IncidentDto } from '../incidents/dto/incident.dto.js';
import { CreateIncidentDto } from '../incidents/dto/create-incident.dto.js';
import { INCIDENT_STATUSES } from '../incidents/incident-status.js';
import type { IncidentTemplateDto } from '../incidents/templates/dto/incident-template.dto.js';
import { TEXT_OF_STATUS } from '../incidents/update-texts.js';
import { check, type Checked, type Errors, type Labels } from './errors-of-fields.js';
import { Check, Choice, Group, Summary, TextArea, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import { type Grades, gradesIn, MonitorGrades, toMonitors } from './monitor-grades.js';
import type { OwnMonitor, OwnPage, OwnProject } from './project-contents.js';
import { ChosenProject } from './project-choice.js';
import type { Reply } from './reply.js';
import { Crumb } from './resource-form.js';
import { Draft } from './scripted.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { incident: words } = WORDS;

/** Labels of an incident's fields. */
export const INCIDENT_LABELS: Labels = {
  title: words.title,
  body: words.body,
  status: words.status,
  monitors: words.monitors,
  status_page_ids: words.pages,
  postmortem: words.postmortem,
};

/** Values in the form for a new incident. */
export interface IncidentValues {
  title: string;
  body: string;
  status: string;
  grades: Grades;
  status_page_ids: string[];
  notify: boolean;
  find: string;
  /** Draft that the form publishes; empty: none. */
  draft_id: string;
}

/** Returns the values of a sent form. */
export function incidentIn(sent: URLSearchParams): IncidentValues {
  return {
    title: sent.get('title') ?? '',
    body: textIn(sent, 'body'),
    status: sent.get('status') ?? 'investigating',
    grades: gradesIn(sent),
    status_page_ids: sent.getAll('status_page_ids'),
    notify: sent.get('notify') === 'on',
    find: (sent.get('find') ?? '').trim().slice(0, 200),
    draft_id: sent.get('draft_id') ?? '',
  };
}

/** Returns a text of a sent form. Browsers send line breaks as CR LF. */
export function textIn(sent: URLSearchParams, name: string): string {
  return (sent.get(name) ?? '').replaceAll('\r\n', '\n').replace(/^\n/, '');
}

/** Returns the values of an empty form, or of one from a template. */
export function newIncident(grades: Grades, template?: IncidentTemplateDto): IncidentValues {
  const monitors = template?.monitors.map(({ monitor_id, status }) => [monitor_id, status] as const);
  return {
    title: template?.title ?? '',
    body: template?.body ?? '',
    status: template?.status ?? 'investigating',
    grades: new Map([...grades, ...(monitors ?? [])]),
    status_page_ids: [],
    notify: true,
    find: '',
    draft_id: '',
  };
}

/** Validates the values by the DTO of the API. An empty text is the standard text of the status. */
export function toIncident(project_id: string, values: IncidentValues): Checked<CreateIncidentDto> {
  const { title, body, status, grades, status_page_ids, notify } = values;
  const sent = {
    project_id,
    ...(title !== '' && { title }),
    ...(body !== '' && { body }),
    status,
    monitors: toMonitors(grades),
    ...(status_page_ids.length > 0 && { status_page_ids }),
    notify,
  };
  return check(CreateIncidentDto, sent, INCIDENT_LABELS);
}

interface FormPage {
  project: OwnProject;
  /** Whether the member sees other projects. */
  isChosen: boolean;
  monitors: OwnMonitor[];
  pages: OwnPage[];
  templates: Pick<IncidentTemplateDto, 'id' | 'name'>[];
  values: IncidentValues;
  errors?: Errors | undefined;
}

/** Renders the form of a new incident. */
export function renderIncidentForm(visit: Visit, page: FormPage): Reply {
  const { project, monitors, pages, templates, values, errors } = page;
  return screen({
    title: words.new_title,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb path="/manage" text={WORDS.back} />
        <h1>{words.new_title}</h1>
        {page.isChosen && <ChosenProject project={project} path="/manage/incidents/new" />}
        {templates.length > 0 && <Templates projectId={project.id} templates={templates} />}
        <form class="form" method="post" action="/manage/incidents">
          <Token visit={visit} />
          <FirstButton />
          <input type="hidden" name="project_id" value={project.id} />
          {values.draft_id !== '' && <input type="hidden" name="draft_id" value={values.draft_id} />}
          <Draft />
          <Summary text={errors?.['form']} />
          {monitors.length > 0 && (
            <MonitorGrades
              monitors={monitors}
              grades={values.grades}
              find={values.find}
              errors={errors}
              {...(pages.length > 1 && { note: words.no_monitors_hint })}
            />
          )}
          <TextField
            name="title"
            label={words.title}
            hint={words.title_hint}
            value={values.title}
            errors={errors}
          />
          <TextArea
            name="body"
            label={words.body}
            hint={words.body_hint(TEXT_OF_STATUS.investigating)}
            value={values.body}
            errors={errors}
            isPublished
          />
          <StatusChoice value={values.status} errors={errors} />
          <Pages pages={pages} chosen={values.status_page_ids} errors={errors} />
          <Check name="notify" label={words.notify} checked={values.notify} />
          <ReviewButton />
        </form>
      </>
    ),
  });
}

/** Renders the button that the enter key presses. Without it, that would be the first visible one, which may be another. */
export function FirstButton() {
  return <button class="unseen" type="submit" name="step" value="review" tabIndex={-1} aria-hidden="true" />;
}

/** Renders the button that leads to the review. */
export function ReviewButton() {
  return (
    <div class="actions">
      <button class="button" type="submit" name="step" value="review">
        {words.review}
      </button>
      <p class="quiet">{words.review_hint}</p>
    </div>
  );
}

/** Renders the choice of an incident's status. */
export function StatusChoice({ value, errors }: { value: string; errors?: Errors | undefined }) {
  const options = INCIDENT_STATUSES.map((status) => ({ value: status, text: WORDS.incident_status[status] }));
  return <Choice name="status" label={words.status} value={value} options={options} errors={errors} />;
}

/** Renders the choice of pages. None: the pages that show the monitors. Chosen pages that are not in the list stay chosen. */
export function Pages({
  pages,
  chosen,
  errors,
}: {
  pages: OwnPage[];
  chosen: IncidentDto['status_page_ids'];
  errors?: Errors | undefined;
}) {
  const listed = new Set(pages.map(({ id }) => id));
  const others = (chosen ?? []).filter((id) => !listed.has(id));
  if (pages.length + others.length === 0) return <p class="quiet">{words.no_pages}</p>;
  return (
    <details class="more" open={(chosen ?? []).length > 0 || errors?.['status_page_ids'] !== undefined}>
      <summary>{words.pages_summary}</summary>
      <Group name="status_page_ids" label={words.pages} hint={words.pages_hint} errors={errors}>
        {pages.map(({ id, name }) => (
          <Check name="status_page_ids" value={id} label={name} checked={chosen?.includes(id) ?? false} />
        ))}
        {others.map((id, index) => (
          <Check name="status_page_ids" value={id} label={words.other_page(index + 1)} checked />
        ))}
      </Group>
    </details>
  );
}

function Templates({ projectId, templates }: { projectId: string; templates: FormPage['templates'] }) {
  return (
    <details class="more">
      <summary>{words.templates}</summary>
      <ul class="rows">
        {templates.map(({ id, name }) => (
          <li class="row">
            <a href={`/manage/incidents/new?project=${projectId}&template=${id}`}>
              <bdi class="what">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
