import { UpdateIncidentDto } from '../incidents/dto/update-incident.dto.js';
import { CreateIncidentUpdateDto } from '../incidents/dto/create-incident-update.dto.js';
import { TEXT_OF_STATUS } from '../incidents/update-texts.js';
import { SIGN_OF_IMPACT } from '../page-documents/components/incident.js';
import { Markdown } from '../page-documents/components/text.js';
import { check, type Checked, type Errors } from './errors-of-fields.js';
import { Check, Summary, TextArea, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import { FirstButton, INCIDENT_LABELS, Pages, ReviewButton, StatusChoice, textIn } from './incident-form.js';
import { IncidentPicture, toIncidentData } from './incident-picture.js';
import type { ReadIncident } from './incident-reader.js';
import { type Grades, gradesIn, MonitorGrades, toMonitors } from './monitor-grades.js';
import type { Reply } from './reply.js';
import { Draft } from './scripted.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

const { incident: words } = WORDS;

/** Change by another member since a form was opened. */
export interface Theirs {
  author: string | undefined;
  /** The version that the form was made for. */
  since: Date | undefined;
}

/** Values in the form for an update. */
export interface UpdateValues {
  body: string;
  status: string;
  grades: Grades;
  notify: boolean;
  find: string;
}

/** Returns the values of a sent update. */
export function updateIn(sent: URLSearchParams): UpdateValues {
  return {
    body: textIn(sent, 'body'),
    status: sent.get('status') ?? '',
    grades: gradesIn(sent),
    notify: sent.get('notify') === 'on',
    find: (sent.get('find') ?? '').trim().slice(0, 200),
  };
}

/** Returns the values of an empty form. */
export function newUpdate({ incident }: ReadIncident): UpdateValues {
  return { body: '', status: incident.status, grades: gradesOf(incident), notify: true, find: '' };
}

/** Returns the statuses that a form can show. It has no choice for a monitor that an incident sets to operational. */
function gradesOf({ monitors }: ReadIncident['incident']): Grades {
  const bad = monitors.filter(({ status }) => status !== 'operational');
  return new Map(bad.map(({ monitor_id, status }) => [monitor_id, status]));
}

/** Validates an update by the DTO of the API. Unchanged monitors are left out. */
export function toUpdate({ incident }: ReadIncident, values: UpdateValues): Checked<CreateIncidentUpdateDto> {
  const { body, status, grades, notify } = values;
  const before = gradesOf(incident);
  const others = incident.monitors.filter(({ monitor_id: id }) => !before.has(id) && !grades.has(id));
  const isSame = before.size === grades.size && [...grades].every(([id, grade]) => before.get(id) === grade);
  const sent = {
    ...(body !== '' && { body }),
    status,
    ...(!isSame && status !== 'resolved' && { monitors: [...toMonitors(grades), ...others] }),
    notify,
  };
  return check(CreateIncidentUpdateDto, sent, INCIDENT_LABELS);
}

/** Renders an incident, with the form of its next update. */
export function renderIncident(
  visit: Visit,
  read: ReadIncident,
  values: UpdateValues,
  { errors, theirs }: { errors?: Errors | undefined; theirs?: Theirs } = {},
): Reply {
  const { incident, updates, monitors, view, isPublic } = read;
  const data = toIncidentData(incident, updates, monitors);
  const path = `/manage/incidents/${incident.id}`;
  const isOpen = incident.status !== 'resolved';
  return screen({
    title: incident.title,
    visit,
    sign: isOpen ? SIGN_OF_IMPACT[incident.impact] : 'operational',
    status: errors ? 400 : theirs ? 409 : 200,
    children: (
      <>
        <p class="crumb">
          <a href="/manage">{WORDS.nav.now}</a>
        </p>
        <h1>
          <bdi>{incident.title}</bdi>
        </h1>
        {isPublic && view.page && (
          <p>
            <a href={view.links.to({ kind: 'incident', id: incident.id })}>{words.on_page(view.page.name)}</a>
          </p>
        )}
        <IncidentPicture incident={data} view={view} isWhole />
        {may(visit, 'incidents:write') && (
          <>
            <section>
              <h2>{isOpen ? words.update_title : words.reopen_title}</h2>
              <form class="form" method="post" action={`${path}/updates`}>
                <Token visit={visit} />
                <FirstButton />
                <input type="hidden" name="updated_at" value={incident.updated_at.toISOString()} />
                <Draft />
                <Summary text={errors?.['form']} />
                {theirs && <Changed theirs={theirs} read={read} />}
                <TextArea
                  name="body"
                  label={words.body}
                  hint={words.update_hint(TEXT_OF_STATUS.resolved)}
                  value={values.body}
                  errors={errors}
                  isPublished
                />
                <StatusChoice value={values.status} errors={errors} />
                {monitors.length > 0 && (
                  <details class="more" open={values.find !== '' || errors?.['monitors'] !== undefined}>
                    <summary>{words.change_monitors}</summary>
                    <MonitorGrades
                      monitors={monitors}
                      grades={values.grades}
                      find={values.find}
                      errors={errors}
                    />
                  </details>
                )}
                <Check name="notify" label={words.notify} checked={values.notify} />
                <ReviewButton />
              </form>
            </section>
            <p class="actions">
              <a class="button small" href={`${path}/edit`}>
                {words.edit}
              </a>
              <a class="button small" href={`${path}/postmortem`}>
                {words.postmortem}
              </a>
            </p>
          </>
        )}
      </>
    ),
  });
}

/** Renders what another member has changed, beside one's own text, which is kept. */
function Changed({
  theirs: { author, since },
  read: { incident, updates, view },
}: {
  theirs: Theirs;
  read: ReadIncident;
}) {
  const newer = updates.filter(({ created_at }) => since !== undefined && created_at > since);
  return (
    <div class="theirs" role="alert">
      <p>
        <strong>{words.changed(author)}</strong>
      </p>
      <p>{words.changed_text}</p>
      {newer.map(({ status, body }) => (
        <blockquote>
          <strong>{view.words.incident_status[status]}</strong>
          <Markdown text={body} level={4} />
        </blockquote>
      ))}
      {newer.length === 0 && <blockquote dir="auto">{incident.title}</blockquote>}
    </div>
  );
}

/** Values of the form that edits an incident. */
export type EditedField = 'title' | 'postmortem';

interface EditPage {
  field: EditedField;
  value: string;
  status_page_ids: string[];
  notify: boolean;
  errors?: Errors | undefined;
  theirs?: Theirs | undefined;
}

/** Validates an edit by the DTO of the API. */
export function toEdit(
  field: EditedField,
  value: string,
  pageIds: string[],
  notify: boolean,
): Checked<UpdateIncidentDto> {
  const sent =
    field === 'title'
      ? { title: value, status_page_ids: pageIds.length > 0 ? pageIds : null, notify: false }
      : { postmortem: value === '' ? null : value, notify };
  return check(UpdateIncidentDto, sent, INCIDENT_LABELS);
}

/** Renders the form that edits the title and the pages of an incident, or its postmortem. */
export function renderEdit(visit: Visit, { incident, pages }: ReadIncident, page: EditPage): Reply {
  const { field, value, status_page_ids, notify, errors, theirs } = page;
  const path = `/manage/incidents/${incident.id}`;
  const current = incident[field] ?? '';
  const shared = { name: field, value, errors, ...(theirs && current !== value && { theirs: current }) };
  const postmortem = { label: words.postmortem, hint: words.postmortem_hint, rows: 14 };
  return screen({
    title: words[field === 'title' ? 'edit' : 'postmortem'],
    visit,
    status: errors ? 400 : theirs ? 409 : 200,
    children: (
      <>
        <p class="crumb">
          <a href={path}>
            <bdi>{incident.title}</bdi>
          </a>
        </p>
        <h1>{words[field === 'title' ? 'edit' : 'postmortem']}</h1>
        <form class="form" method="post" action={`${path}/${field === 'title' ? 'edit' : 'postmortem'}`}>
          <Token visit={visit} />
          <FirstButton />
          <input type="hidden" name="updated_at" value={incident.updated_at.toISOString()} />
          <Draft />
          <Summary text={errors?.['form'] ?? (theirs && words.changed(theirs.author))} />
          {field === 'title' ? (
            <>
              <TextField {...shared} label={words.title} />
              <Pages pages={pages} chosen={status_page_ids} errors={errors} />
            </>
          ) : (
            <>
              <TextArea {...shared} {...postmortem} isPublished />
              <Check name="notify" label={words.notify} checked={notify} />
            </>
          )}
          <ReviewButton />
        </form>
      </>
    ),
  });
}
