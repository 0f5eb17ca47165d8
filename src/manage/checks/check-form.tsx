import { FAILURE_STATUSES } from '../../checks/check.entity.js';
import type { CheckDto } from '../../checks/dto/check.dto.js';
import { RECORD_TYPES } from '../../platform/network/dns.js';
import { SubmitButton } from '../buttons.js';
import { Check, Choice, Select, TextField } from '../fields.js';
import { FormKeys, Trouble } from '../resource-form.js';
import type { Prevented } from '../saving.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { CHECK_LABELS, type CheckValues } from './check-values.js';

const { check: words } = WORDS;

interface FormProps {
  visit: Visit;
  path: string;
  check: CheckDto | undefined;
  values: CheckValues;
  prevented: Prevented;
}

/** Renders the form of a check: the fields for all types, and those for its own. */
export function CheckForm({ visit, path, check, values, prevented }: FormProps) {
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
      <SubmitButton text={check ? WORDS.saving.save : words.add} />
    </form>
  );
}
