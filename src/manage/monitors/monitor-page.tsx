import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import type { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { Shape } from '../../page-documents/components/status.js';
import { SubmitButton } from '../buttons.js';
import type { Labels } from '../errors-of-fields.js';
import { Facts } from '../facts.js';
import { Select, Summary, TextArea, TextField } from '../fields.js';
import { screen } from '../frame.js';
import { textIn } from '../incident-form.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys, theirsOf, Trouble } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { monitors: words } = WORDS;

/** Labels of a monitor's fields. */
export const MONITOR_FIELDS: Labels = {
  name: words.name,
  key: words.key,
  description: words.description,
  stale_after_seconds: words.stale_after,
  draft_template_id: WORDS.drafts.rule,
};

/** Values in the form of a monitor, as entered. */
export interface MonitorValues {
  name: string;
  key: string;
  description: string;
  stale_after_seconds: string;
  draft_template_id: string;
}

/** Returns the values of a sent form. */
export function monitorIn(sent: URLSearchParams): MonitorValues {
  return {
    name: sent.get('name') ?? '',
    key: (sent.get('key_name') ?? '').trim(),
    description: textIn(sent, 'description'),
    stale_after_seconds: (sent.get('stale_after_seconds') ?? '').trim(),
    draft_template_id: sent.get('draft_template_id') ?? '',
  };
}

/** Returns the values of an unchanged form. */
export function valuesOf({ name, key, description, ...rules }: MonitorDto): MonitorValues {
  return {
    name,
    key: key ?? '',
    description,
    stale_after_seconds: String(rules.stale_after_seconds ?? ''),
    draft_template_id: rules.draft_template_id ?? '',
  };
}

/** Returns the body of the API. An invalid number stays as it is, so that the validation rejects it. */
export function toMonitorPatch({
  name,
  key,
  description,
  stale_after_seconds: seconds,
  draft_template_id: template,
}: MonitorValues): object {
  return {
    name,
    key: key === '' ? null : key,
    description,
    stale_after_seconds: seconds === '' ? null : /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds,
    draft_template_id: template === '' ? null : template,
  };
}

/** Templates of the project. */
type Templates = readonly Pick<IncidentTemplateDto, 'id' | 'name'>[];

interface Page {
  monitor: MonitorDto;
  templates: Templates;
  status: MonitorStatus;
  values: MonitorValues;
  prevented?: Prevented;
}

/** Renders a monitor, with the form that changes it. */
export function renderMonitor(visit: Visit, page: Page): Reply {
  const { monitor, status, prevented = {} } = page;
  const path = `/manage/monitors/${monitor.id}`;
  const done = visit.query.get('done') === 'saved' ? WORDS.saving.saved : undefined;
  return screen({
    title: monitor.name,
    visit,
    current: 'monitors',
    status: statusOf(prevented),
    children: (
      <>
        <Crumb path={`/manage/monitors?project=${monitor.project_id}`} text={words.title} />
        <h1>
          <bdi>{monitor.name}</bdi>
        </h1>
        <p class="headline-now">
          <Shape status={status} /> {WORDS.status[status]}
        </p>
        <Summary text={done} role="status" />
        {may(visit, 'monitors:write') ? (
          <MonitorForm visit={visit} {...page} prevented={prevented} />
        ) : (
          <p dir="auto">{monitor.description}</p>
        )}
        <Facts facts={[[words.id, <code>{monitor.id}</code>]]} />
        <div class="actions">
          <a class="button plain" href={`${path}/check`}>
            {WORDS.check.open}
          </a>
          {may(visit, 'incidents:write') && (
            <a
              class="button plain"
              href={`/manage/incidents/new?project=${monitor.project_id}&monitor=${monitor.id}`}
            >
              {WORDS.now.report}
            </a>
          )}
          {may(visit, 'monitors:write') && (
            <a class="button danger" href={`${path}/delete`}>
              {WORDS.saving.delete}
            </a>
          )}
        </div>
      </>
    ),
  });
}

/** Returns the templates to choose from. One that is not in the list stays chosen. */
function optionsOf(templates: Templates, chosen: string): { value: string; text: string }[] {
  const listed = templates.map(({ id, name }) => ({ value: id, text: name }));
  const isListed = chosen === '' || listed.some(({ value }) => value === chosen);
  return [
    { value: '', text: WORDS.drafts.no_rule },
    ...listed,
    ...(isListed ? [] : [{ value: chosen, text: WORDS.drafts.other_template }]),
  ];
}

/** Returns the name of the chosen template. */
function nameIn(options: ReturnType<typeof optionsOf>, { draft_template_id }: MonitorValues): string {
  return options.find(({ value }) => value === draft_template_id)?.text ?? WORDS.drafts.other_template;
}

function MonitorForm({
  visit,
  monitor,
  templates,
  values,
  prevented,
}: Omit<Required<Page>, 'status'> & { visit: Visit }) {
  const { errors } = prevented;
  const current = valuesOf(monitor);
  const of = (name: keyof MonitorValues) => ({
    label: MONITOR_FIELDS[name] ?? name,
    value: values[name],
    ...theirsOf(prevented, current[name], values[name]),
  });
  const options = optionsOf(templates, values.draft_template_id);
  const keyError = errors?.['key'];
  return (
    <form class="form" method="post" action={`/manage/monitors/${monitor.id}`}>
      <FormKeys visit={visit} version={monitor.updated_at} />
      <Trouble {...prevented} />
      <TextField name="name" {...of('name')} hint={words.name_hint} errors={errors} />
      <TextArea
        name="description"
        {...of('description')}
        hint={words.description_hint}
        rows={2}
        errors={errors}
      />
      {/* Not `key`, which makes a form act once. */}
      <TextField
        name="key_name"
        {...of('key')}
        hint={words.key_hint}
        errors={keyError === undefined ? undefined : { key_name: keyError }}
      />
      <TextField
        name="stale_after_seconds"
        {...of('stale_after_seconds')}
        hint={words.stale_after_hint}
        errors={errors}
      />
      <Select
        name="draft_template_id"
        label={WORDS.drafts.rule}
        value={values.draft_template_id}
        {...theirsOf(prevented, nameIn(options, current), nameIn(options, values))}
        hint={WORDS.drafts.rule_hint}
        options={options}
        errors={errors}
      />
      <SubmitButton text={WORDS.saving.save} />
    </form>
  );
}
