import type { CheckRunDto, CheckStateDto } from '../../checks/dto/check-run.dto.js';
import type { CheckDto } from '../../checks/dto/check.dto.js';
import type { UpdateCheckDto } from '../../checks/dto/update-check.dto.js';
import { FAILURE_STATUSES } from '../../checks/check.entity.js';
import { CHECK_TYPES, type CheckType } from '../../checks/probes/target.js';
import type { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { datesOf } from '../../page-model/dates.js';
import { RECORD_TYPES } from '../../platform/network/dns.js';
import type { Labels } from '../errors-of-fields.js';
import { Check, Choice, Select, Summary, TextField } from '../fields.js';
import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys, Trouble } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { check: words } = WORDS;

/** Labels of a check's fields. */
export const CHECK_LABELS: Labels = {
  type: words.choose,
  target: words.target,
  interval_seconds: words.interval,
  body_contains: words.body_contains,
  expected_status: words.expected_status,
  record_type: words.record_type,
  expected: words.expected,
  days_before_expiry: words.days,
  failures: words.failures,
  status_on_failure: words.status,
};

const NUMBERS = ['interval_seconds', 'failures', 'days_before_expiry'] as const;

/** Fields for all types, and those for one. */
const COMMON = ['target', 'interval_seconds', 'failures', 'status_on_failure'] as const;
const FIELDS: Record<CheckType, readonly (keyof UpdateCheckDto & string)[]> = {
  http: [...COMMON, 'body_contains', 'expected_status'],
  tcp: COMMON,
  dns: [...COMMON, 'record_type', 'expected'],
  tls: [...COMMON, 'days_before_expiry'],
};

/** Fields that are null without a text. */
const NULLABLE = new Set(['body_contains', 'expected']);

/** Values in the form of a check, as entered. */
export interface CheckValues {
  type: CheckType;
  enabled: boolean;
  fields: Record<string, string>;
}

/** Returns the values of an unchanged form. */
export function valuesOf(check: CheckDto): CheckValues {
  const { type, enabled } = check;
  return {
    type,
    enabled,
    fields: Object.fromEntries(FIELDS[type].map((name) => [name, String(Reflect.get(check, name) ?? '')])),
  };
}

/** Returns the values of a new check. */
export function newValues(type: CheckType): CheckValues {
  const interval_seconds = type === 'tls' ? '3600' : '60';
  const fields = {
    interval_seconds,
    failures: '2',
    status_on_failure: 'major_outage',
    expected_status: '200-399',
    record_type: 'A',
    days_before_expiry: '14',
  };
  return { type, enabled: true, fields };
}

/** Returns the type of a sent form or a query, or undefined if it is another word. */
export function typeIn(values: URLSearchParams): CheckType | undefined {
  return CHECK_TYPES.find((type) => type === values.get('type'));
}

/** Returns the values of a sent form. */
export function checkIn(sent: URLSearchParams, type: CheckType): CheckValues {
  const fields = Object.fromEntries(FIELDS[type].map((name) => [name, (sent.get(name) ?? '').trim()]));
  return { type, enabled: sent.get('enabled') === 'on', fields };
}

/** Returns the body of the API. An invalid number stays as it is, so that the validation rejects it. */
export function toPatch({ enabled, fields }: CheckValues): object {
  const numbers: readonly string[] = NUMBERS;
  const values = Object.entries(fields).map(([name, text]) => {
    if (NULLABLE.has(name)) return [name, text === '' ? null : text];
    return [name, numbers.includes(name) && /^\d{1,9}$/.test(text) ? Number(text) : text];
  });
  return { ...Object.fromEntries(values), enabled };
}

interface Page {
  monitor: MonitorDto;
  check: CheckDto | undefined;
  state: CheckStateDto | undefined;
  /** undefined: the type is not chosen yet. */
  values: CheckValues | undefined;
  run?: CheckRunDto;
  prevented?: Prevented;
}

/** Renders the check of a monitor: its last run, and the form that changes it, or the choice of a new one. */
export function renderCheck(
  visit: Visit,
  { monitor, check, state, values, run, prevented = {} }: Page,
): Reply {
  const path = `/manage/monitors/${monitor.id}`;
  const canWrite = may(visit, 'monitors:write');
  const done = visit.query.get('done') === 'saved' ? WORDS.saving.saved : undefined;
  return screen({
    title: words.title_of(monitor.name),
    visit,
    current: 'monitors',
    status: statusOf(prevented),
    children: (
      <>
        <Crumb path={path} text={monitor.name} />
        <h1>{words.title}</h1>
        <Summary text={done} role="status" />
        {run && <Summary text={resultOf(run)} role="status" />}
        {check ? <LastRun check={check} state={state} /> : <p class="quiet">{words.none}</p>}
        {canWrite && !values && <Types path={path} />}
        {canWrite && values && (
          <CheckForm visit={visit} path={path} check={check} values={values} prevented={prevented} />
        )}
        {canWrite && check && (
          <section>
            <p class="quiet">{words.run_hint}</p>
            <div class="actions">
              <form method="post" action={`${path}/check/run`}>
                <FormKeys visit={visit} />
                <button class="button plain" type="submit">
                  {words.run}
                </button>
              </form>
              <a class="button danger" href={`${path}/check/delete`}>
                {WORDS.saving.delete}
              </a>
            </div>
          </section>
        )}
      </>
    ),
  });
}

function resultOf({ error, duration_ms }: Pick<CheckRunDto, 'error' | 'duration_ms'>): string {
  return error === null ? words.works(duration_ms) : words.fails(error);
}

function LastRun({ check, state }: { check: CheckDto; state: CheckStateDto | undefined }) {
  if (!check.enabled) return <p>{words.paused}</p>;
  const { checked_at, error = null, duration_ms } = state ?? {};
  if (!checked_at)
    return (
      <p>
        {words.never} {words.next}
      </p>
    );
  const dates = datesOf('en', 'UTC', new Date());
  return (
    <p>
      {words.last(dates.relative(checked_at) ?? dates.time(checked_at))}{' '}
      {resultOf({ error, duration_ms: duration_ms ?? 0 })}
    </p>
  );
}

function Types({ path }: { path: string }) {
  return (
    <section>
      <h2>{words.choose}</h2>
      <ul class="rows">
        {CHECK_TYPES.map((type) => (
          <li class="row">
            <a href={`${path}/check?type=${type}`}>
              <span aria-hidden="true">→</span>
              <span class="what">{words.types[type]}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FormProps {
  visit: Visit;
  path: string;
  check: CheckDto | undefined;
  values: CheckValues;
  prevented: Prevented;
}

function CheckForm({ visit, path, check, values, prevented }: FormProps) {
  const { errors } = prevented;
  const { type, enabled, fields } = values;
  const of = (name: string) => ({
    name,
    label: CHECK_LABELS[name] ?? name,
    value: fields[name] ?? '',
    errors,
  });
  const { interval_seconds: interval = '' } = fields;
  const intervals = Object.entries(words.intervals).map(([value, text]) => ({ value, text }));
  if (!(interval in words.intervals)) intervals.push({ value: interval, text: words.seconds(interval) });
  return (
    <form class="form" method="post" action={`${path}/check`}>
      <FormKeys visit={visit} {...(check && { version: check.updated_at })} />
      <input type="hidden" name="type" value={type} />
      <Trouble {...prevented} />
      <p class="quiet">{words.types[type]}</p>
      <TextField {...of('target')} hint={words.target_hint[type]} />
      {type === 'http' && (
        <>
          <TextField {...of('body_contains')} hint={words.body_contains_hint} />
          <TextField {...of('expected_status')} hint={words.expected_status_hint} />
        </>
      )}
      {type === 'dns' && (
        <>
          <Choice {...of('record_type')} options={RECORD_TYPES.map((one) => ({ value: one, text: one }))} />
          <TextField {...of('expected')} hint={words.expected_hint} />
        </>
      )}
      {type === 'tls' && <TextField {...of('days_before_expiry')} hint={words.days_hint} />}
      <Select {...of('interval_seconds')} options={intervals} />
      <TextField {...of('failures')} hint={words.failures_hint} />
      <Choice
        {...of('status_on_failure')}
        options={FAILURE_STATUSES.map((status) => ({ value: status, text: words.statuses[status] }))}
      />
      {check && check.header_names.length > 0 && <p class="quiet">{words.headers(check.header_names)}</p>}
      <Check name="enabled" label={words.enabled} checked={enabled} />
      <div class="actions">
        <button class="button" type="submit">
          {check ? WORDS.saving.save : words.add}
        </button>
      </div>
    </form>
  );
}
