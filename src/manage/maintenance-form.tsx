import { isTimeZone } from '../branding/dto/time-zone.js';
import { CreateMaintenanceDto } from '../maintenances/dto/create-maintenance.dto.js';
import { UpdateMaintenanceDto } from '../maintenances/dto/update-maintenance.dto.js';
import { check, type Checked, type Errors, type Labels } from './errors-of-fields.js';
import { Check, Group, Summary, TextArea, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import { FirstButton, Pages, ReviewButton, textIn } from './incident-form.js';
import type { ReadMaintenance } from './maintenance-reader.js';
import { Finder, matching } from './monitor-grades.js';
import { ChosenProject } from './project-choice.js';
import type { OwnMonitor, OwnProject } from './project-contents.js';
import type { Reply } from './reply.js';
import { Draft } from './scripted.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';
import { fromLocal, toLocal } from './zoned-time.js';

const { maintenance: words } = WORDS;

/** Maximum number of monitors that the form shows. A search shows others. */
const MAX_ROWS = 12;

const HOUR_MS = 3_600_000;

/** Labels of a window's fields. */
export const MAINTENANCE_LABELS: Labels = {
  title: words.name,
  body: words.body,
  starts_at: words.starts_at,
  ends_at: words.ends_at,
  monitor_ids: words.monitors,
  status_page_ids: WORDS.incident.pages,
};

/** Values in the form for a maintenance window. */
export interface MaintenanceValues {
  title: string;
  body: string;
  /** In `time_zone`, as the input sends it. */
  starts_at: string;
  ends_at: string;
  /** Time zone that the form was shown in: IANA name. Another page in the form does not change what a typed time means. */
  time_zone: string;
  monitor_ids: string[];
  status_page_ids: string[];
  notify: boolean;
  find: string;
}

/** Returns the values of a sent form. @param zone of a form that names none */
export function maintenanceIn(sent: URLSearchParams, zone: string): MaintenanceValues {
  const time_zone = sent.get('time_zone') ?? '';
  return {
    title: sent.get('title') ?? '',
    body: textIn(sent, 'body'),
    starts_at: sent.get('starts_at') ?? '',
    ends_at: sent.get('ends_at') ?? '',
    time_zone: isTimeZone(time_zone) ? time_zone : zone,
    monitor_ids: [...new Set(sent.getAll('monitor_ids'))],
    status_page_ids: sent.getAll('status_page_ids'),
    notify: sent.get('notify') === 'on',
    find: (sent.get('find') ?? '').trim().slice(0, 200),
  };
}

/** Returns the values of an empty form: an hour, from the next full hour that is at least a day away. */
export function newMaintenance(zone: string): MaintenanceValues {
  const start = Math.ceil((Date.now() + 24 * HOUR_MS) / HOUR_MS) * HOUR_MS;
  const [starts_at, ends_at] = [start, start + HOUR_MS].map((time) => toLocal(new Date(time), zone));
  const values = { title: '', body: '', monitor_ids: [], status_page_ids: [], notify: true, find: '' };
  return { ...values, starts_at: starts_at ?? '', ends_at: ends_at ?? '', time_zone: zone };
}

/** Returns the values of a window. @param time_zone of the form; omitted: of the page */
export function valuesOf(
  { maintenance, view }: ReadMaintenance,
  time_zone = view.dates.timeZone,
): MaintenanceValues {
  const { title, body, starts_at, ends_at, monitor_ids, status_page_ids } = maintenance;
  return {
    title,
    body,
    starts_at: toLocal(starts_at, time_zone),
    ends_at: toLocal(ends_at, time_zone),
    time_zone,
    monitor_ids,
    status_page_ids: status_page_ids ?? [],
    notify: true,
    find: '',
  };
}

function fieldsOf(values: MaintenanceValues) {
  const timeOf = (text: string) =>
    text === '' ? undefined : (fromLocal(text, values.time_zone)?.toISOString() ?? text);
  const { title, body, monitor_ids, status_page_ids, notify } = values;
  const [starts_at, ends_at] = [timeOf(values.starts_at), timeOf(values.ends_at)];
  return {
    ...(title !== '' && { title }),
    body,
    ...(starts_at !== undefined && { starts_at }),
    ...(ends_at !== undefined && { ends_at }),
    monitor_ids,
    status_page_ids: status_page_ids.length > 0 ? status_page_ids : null,
    notify,
  };
}

/** Validates the values by the DTO of the API. */
export function toNewMaintenance(
  project_id: string,
  values: MaintenanceValues,
): Checked<CreateMaintenanceDto> {
  return check(CreateMaintenanceDto, { project_id, ...fieldsOf(values) }, MAINTENANCE_LABELS);
}

/** Validates an edit by the DTO of the API. Unchanged times are left out, because the input has no seconds. */
export function toMaintenancePatch(
  read: ReadMaintenance,
  values: MaintenanceValues,
): Checked<UpdateMaintenanceDto> {
  const before = valuesOf(read, values.time_zone);
  const { starts_at, ends_at, ...others } = fieldsOf(values);
  const sent = {
    title: values.title,
    ...others,
    ...(values.starts_at !== before.starts_at && { starts_at: starts_at ?? null }),
    ...(values.ends_at !== before.ends_at && { ends_at: ends_at ?? null }),
  };
  return check(UpdateMaintenanceDto, sent, MAINTENANCE_LABELS);
}

interface FormPage extends Pick<ReadMaintenance, 'monitors' | 'pages' | 'view'> {
  title: string;
  action: string;
  back: string;
  values: MaintenanceValues;
  /** Project of a new window, if the member sees others. */
  project?: OwnProject;
  /** Version that an edit replaces, or the project of a new window. */
  fixed: { name: 'updated_at' | 'project_id'; value: string };
  errors?: Errors | undefined;
  /** Values of another member. */
  theirs?: { author: string | undefined; values: MaintenanceValues } | undefined;
}

/** Renders the form of a maintenance window. */
export function renderMaintenanceForm(visit: Visit, page: FormPage): Reply {
  const { title, action, back, values, fixed, monitors, pages, view, errors, theirs } = page;
  const zone = zoneText(view, values.time_zone);
  const field = (name: 'title' | 'body' | 'starts_at' | 'ends_at') => ({
    name,
    value: values[name],
    label: MAINTENANCE_LABELS[name] ?? '',
    errors,
    ...(theirs && theirs.values[name] !== values[name] && { theirs: theirs.values[name] }),
  });
  return screen({
    title,
    visit,
    status: errors ? 400 : theirs ? 409 : 200,
    children: (
      <>
        <p class="crumb">
          <a href={back}>{WORDS.back}</a>
        </p>
        <h1>{title}</h1>
        {page.project && <ChosenProject project={page.project} path="/manage/maintenances/new" />}
        <form class="form" method="post" action={action}>
          <Token visit={visit} />
          <FirstButton />
          <input type="hidden" name={fixed.name} value={fixed.value} />
          <input type="hidden" name="time_zone" value={values.time_zone} />
          <Draft />
          <Summary text={errors?.['form'] ?? (theirs && WORDS.incident.changed(theirs.author))} />
          <TextField {...field('title')} hint={words.name_hint} />
          <div class="pair">
            <TextField {...field('starts_at')} type="datetime-local" hint={zone} />
            <TextField {...field('ends_at')} type="datetime-local" hint={zone} />
          </div>
          <TextArea {...field('body')} hint={words.body_hint} isPublished />
          {monitors.length > 0 && (
            <Monitors
              monitors={monitors}
              values={values}
              errors={errors}
              {...(pages.length > 1 && { hint: words.no_monitors_hint })}
            />
          )}
          <Pages pages={pages} chosen={values.status_page_ids} errors={errors} />
          <Check name="notify" label={WORDS.incident.notify} checked={values.notify} />
          <ReviewButton />
        </form>
      </>
    ),
  });
}

/**
 * Returns whose time zone counts. After a choice of other pages, the form keeps the zone that it was opened with. UTC needs no
 * page, and a page that may not show the window would confuse.
 */
function zoneText({ page, dates }: FormPage['view'], zone: string): string {
  return page && zone !== 'UTC' && dates.timeZone === zone
    ? words.zone_of(zone, page.name)
    : words.zone(zone);
}

function Monitors({
  monitors,
  values,
  errors,
  hint,
}: {
  monitors: OwnMonitor[];
  values: MaintenanceValues;
  errors: Errors | undefined;
  hint?: string;
}) {
  const { monitor_ids, find } = values;
  const found = matching(monitors, find);
  const chosen = monitors.filter(({ id }) => monitor_ids.includes(id));
  const others = monitors.filter(({ id }) => !monitor_ids.includes(id) && found.has(id));
  const room = Math.max(0, MAX_ROWS - chosen.length);
  return (
    <Group name="monitor_ids" label={words.monitors} errors={errors} {...(hint !== undefined && { hint })}>
      <div class="checks">
        {[...chosen, ...others.slice(0, room)].map(({ id, name }) => (
          <Check name="monitor_ids" value={id} label={name} checked={monitor_ids.includes(id)} />
        ))}
      </div>
      {find !== '' && found.size === 0 && <p class="quiet">{WORDS.incident.found_none(find)}</p>}
      {(monitors.length > MAX_ROWS || find !== '') && (
        <Finder find={find} more={find === '' ? Math.max(0, others.length - room) : 0} />
      )}
    </Group>
  );
}
