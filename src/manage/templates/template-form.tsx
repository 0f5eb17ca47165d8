import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import { TEXT_OF_STATUS } from '../../incidents/update-texts.js';
import { Markdown } from '../../page-documents/components/text.js';
import { SubmitButton } from '../buttons.js';
import type { Labels } from '../errors-of-fields.js';
import { TextArea, TextField } from '../fields.js';
import { screen } from '../frame.js';
import { StatusChoice, textIn } from '../incident-form.js';
import { type Grades, gradesIn, MonitorGrades, toMonitors } from '../monitor-grades.js';
import type { OwnMonitor } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys, theirsOf, Trouble } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { Draft } from '../scripted.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { templates: words, incident } = WORDS;

const PATH = '/manage/templates';

/** Labels of a template's fields. */
export const TEMPLATE_LABELS: Labels = {
  name: words.name,
  title: words.incident_title,
  body: incident.body,
  status: incident.status,
  monitors: words.monitors,
};

/** Values in the form of a template. */
export interface TemplateValues {
  name: string;
  title: string;
  body: string;
  status: string;
  grades: Grades;
  find: string;
}

/** Values of an empty form. */
export const NEW_TEMPLATE: TemplateValues = {
  name: '',
  title: '',
  body: '',
  status: 'investigating',
  grades: new Map(),
  find: '',
};

/** Returns the values of a sent form. */
export function templateIn(sent: URLSearchParams): TemplateValues {
  return {
    name: sent.get('name') ?? '',
    title: sent.get('title') ?? '',
    body: textIn(sent, 'body'),
    status: sent.get('status') ?? 'investigating',
    grades: gradesIn(sent),
    find: (sent.get('find') ?? '').trim().slice(0, 200),
  };
}

/** Returns the values of an unchanged form. It has no choice for a monitor that the template sets to operational. */
export function valuesOf({ name, title, body, status, monitors }: IncidentTemplateDto): TemplateValues {
  const bad = monitors.filter((one) => one.status !== 'operational');
  const grades: Grades = new Map(bad.map((one) => [one.monitor_id, one.status]));
  return { name, title, body: body ?? '', status, grades, find: '' };
}

/** Returns the fields of the API. Keeps monitors that the template sets to operational. */
export function toTemplate(
  { name, title, body, status, grades }: TemplateValues,
  template?: IncidentTemplateDto,
): object {
  const kept = (template?.monitors ?? []).filter(
    (one) => one.status === 'operational' && !grades.has(one.monitor_id),
  );
  return { name, title, body: body === '' ? null : body, status, monitors: [...toMonitors(grades), ...kept] };
}

/** A form of a template. */
export interface TemplatePage {
  project_id: string;
  /** undefined: a new one. */
  template?: IncidentTemplateDto;
  monitors: OwnMonitor[];
  values: TemplateValues;
  prevented?: Prevented | undefined;
}

/** Renders the form of a template, or what it contains for members who cannot change it. */
export function renderTemplateForm(visit: Visit, page: TemplatePage): Reply {
  const { project_id, template, prevented = {} } = page;
  const title = template?.name ?? words.new;
  return screen({
    title,
    visit,
    status: statusOf(prevented),
    children: (
      <>
        <Crumb path={`${PATH}?project=${project_id}`} text={words.title} />
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {may(visit, 'incidents:write') ? (
          <>
            <TemplateForm {...page} visit={visit} prevented={prevented} />
            {template && (
              <div class="actions">
                <a
                  class="button plain"
                  href={`/manage/incidents/new?project=${project_id}&template=${template.id}`}
                >
                  {words.use}
                </a>
                <a class="button danger" href={`${PATH}/${template.id}/delete`}>
                  {WORDS.saving.delete}
                </a>
              </div>
            )}
          </>
        ) : (
          template && (
            <>
              <h2>
                <bdi>{template.title}</bdi>
              </h2>
              <Markdown text={template.body ?? TEXT_OF_STATUS[template.status]} level={3} />
            </>
          )
        )}
      </>
    ),
  });
}

function TemplateForm({
  visit,
  project_id,
  template,
  monitors,
  values,
  prevented,
}: TemplatePage & { visit: Visit; prevented: Prevented }) {
  const { errors } = prevented;
  const current = template && valuesOf(template);
  const of = (name: 'name' | 'title' | 'body') => ({
    name,
    value: values[name],
    errors,
    ...(current && theirsOf(prevented, current[name], values[name])),
  });
  return (
    <form class="form" method="post" action={template ? `${PATH}/${template.id}` : PATH}>
      {/* The enter key presses the first button. */}
      <button class="unseen" type="submit" tabIndex={-1} aria-hidden="true" />
      <FormKeys visit={visit} {...(template && { version: template.updated_at })} />
      {!template && <input type="hidden" name="project_id" value={project_id} />}
      <Draft />
      <Trouble {...prevented} />
      <TextField {...of('name')} label={words.name} hint={words.name_hint} />
      <TextField {...of('title')} label={words.incident_title} hint={incident.title_hint} />
      <TextArea
        {...of('body')}
        label={incident.body}
        hint={words.body_hint(TEXT_OF_STATUS.investigating)}
        isPublished
      />
      <StatusChoice value={values.status} errors={errors} />
      {monitors.length > 0 && (
        <MonitorGrades monitors={monitors} grades={values.grades} find={values.find} errors={errors} />
      )}
      <SubmitButton text={WORDS.saving.save} />
    </form>
  );
}
