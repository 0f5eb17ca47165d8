import { createHash } from 'node:crypto';
import { EVENT_TYPES, isEventType } from '../../events/event-types.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { WEBHOOK_FORMATS } from '../../webhooks/webhook-endpoint.entity.js';
import { AllOrSome } from '../all-or-some.js';
import { SubmitButton } from '../buttons.js';
import { check, type Checked, type Labels } from '../errors-of-fields.js';
import { Check, Choice, Group, Select, TextField } from '../fields.js';
import { screen } from '../frame.js';
import type { OwnPage } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys, theirsOf, Trouble } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { cut } from '../texts.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { PATH, urlOf } from './webhook-state.js';

const { webhooks: words } = WORDS;

/** Maximum number of characters of a page's name in the selection. */
const MAX_NAME = 40;

/** Labels of a webhook's fields. */
export const WEBHOOK_LABELS: Labels = {
  url: words.url,
  description: words.description,
  format: words.format,
  event_types: words.events,
  status_page_id: words.page,
};

const FORMATS = WEBHOOK_FORMATS.map((value) => ({ value, text: words.formats[value] }));

/** Values in the form of a webhook. `event_types`: null for all. `status_page_id`: empty for all. */
export interface WebhookValues {
  url: string;
  description: string;
  format: string;
  event_types: string[] | null;
  status_page_id: string;
}

/** Values of an empty form. */
export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  format: 'standard',
  event_types: null,
  status_page_id: '',
};

/** Returns the values of a sent form. */
export function webhookIn(sent: URLSearchParams): WebhookValues {
  return {
    url: (sent.get('url') ?? '').trim(),
    description: (sent.get('description') ?? '').trim(),
    format: sent.get('format') ?? '',
    event_types: sent.get('events') === 'all' ? null : sent.getAll('event_types'),
    status_page_id: sent.get('status_page_id') ?? '',
  };
}

/** Returns the values of an unchanged form. */
export function valuesOf(endpoint: WebhookEndpointDto): WebhookValues {
  const { url, description, format, event_types, status_page_id } = endpoint;
  return {
    url,
    description: description ?? '',
    format,
    event_types: event_types.length === 0 ? null : event_types,
    status_page_id: status_page_id ?? '',
  };
}

/** Validates a form. An empty list of events is an error, because it means all events in the API. */
export function checkWebhook<Dto extends object>(
  dto: new () => Dto,
  { url, description, format, event_types, status_page_id }: WebhookValues,
  more: object = {},
): Checked<Dto> {
  const fields = {
    ...more,
    url: url === '' ? null : url,
    description: description === '' ? null : description,
    format,
    event_types: event_types ?? [],
    status_page_id: status_page_id === '' ? null : status_page_id,
  };
  const checked = check(dto, fields, WEBHOOK_LABELS);
  if (event_types?.length !== 0) return checked;
  const errors = { ...checked.errors, event_types: words.no_events };
  const names = Object.keys(errors).flatMap((name) => WEBHOOK_LABELS[name] ?? []);
  return { errors: { ...errors, form: WORDS.errors.summary_of(names) } };
}

/** Returns a digest of what a form changes. */
function digestOf(endpoint: WebhookEndpointDto): string {
  return createHash('sha256')
    .update(JSON.stringify(valuesOf(endpoint)))
    .digest('base64url');
}

/**
 * Returns the version that a form may replace: the current one if nothing has changed that the form contains. Deliveries also change
 * the version, because they record since when a webhook fails.
 */
export function replacedBy(sent: URLSearchParams, current: WebhookEndpointDto): Date[] {
  return sent.get('opened') === digestOf(current) ? [current.updated_at] : versionIn(sent);
}

/** A form of a webhook. */
export interface WebhookPage {
  project_id: string;
  /** undefined: a new one. */
  endpoint?: WebhookEndpointDto;
  /** Pages of the project. */
  pages: OwnPage[];
  values: WebhookValues;
  prevented?: Prevented | undefined;
}

/** Renders the form of a webhook. */
export function renderWebhookForm(visit: Visit, page: WebhookPage): Reply {
  const { project_id, endpoint, values, prevented = {} } = page;
  const title = endpoint ? words.edit_title : words.new;
  const { errors } = prevented;
  const current = endpoint ? valuesOf(endpoint) : values;
  const of = (name: 'url' | 'description') => ({
    name,
    label: words[name],
    value: values[name],
    errors,
    ...theirsOf(prevented, current[name], values[name]),
  });
  const pages = pagesOf(page, current);
  const nameOf = (id: string) => pages.find(({ value }) => value === id)?.text ?? words.other_page;
  const formatOf = (value: string) => FORMATS.find((one) => one.value === value)?.text ?? value;
  return screen({
    title,
    visit,
    status: statusOf(prevented),
    children: (
      <>
        {endpoint ? (
          <Crumb path={`${PATH}/${endpoint.id}`} text={urlOf(endpoint)} />
        ) : (
          <Crumb path={`${PATH}?project=${project_id}`} text={words.title} />
        )}
        <h1>{title}</h1>
        <form class="form" method="post" action={endpoint ? `${PATH}/${endpoint.id}/edit` : PATH}>
          <FormKeys visit={visit} {...(endpoint && { version: endpoint.updated_at })} />
          {endpoint ? (
            <input type="hidden" name="opened" value={digestOf(endpoint)} />
          ) : (
            <input type="hidden" name="project_id" value={project_id} />
          )}
          <Trouble {...prevented} />
          <TextField {...of('url')} hint={words.url_hint} />
          <TextField {...of('description')} hint={words.description_hint} />
          <Choice
            name="format"
            label={words.format}
            hint={words.format_hint}
            value={values.format}
            options={FORMATS}
            errors={errors}
            {...theirsOf(prevented, formatOf(current.format), formatOf(values.format))}
          />
          <Group
            name="event_types"
            label={words.events}
            errors={errors}
            {...theirsOf(prevented, eventsOf(current), eventsOf(values))}
          >
            <AllOrSome
              name="events"
              all={words.all_events}
              some={words.some_events}
              isAll={values.event_types === null}
            >
              {EVENT_TYPES.map((type) => (
                <Check
                  name="event_types"
                  value={type}
                  label={words.event[type]}
                  checked={values.event_types?.includes(type) ?? false}
                />
              ))}
            </AllOrSome>
          </Group>
          <Select
            name="status_page_id"
            label={words.page}
            hint={words.page_hint}
            value={values.status_page_id}
            options={pages}
            errors={errors}
            {...theirsOf(prevented, nameOf(current.status_page_id), nameOf(values.status_page_id))}
          />
          <SubmitButton text={endpoint ? WORDS.saving.save : words.create} />
        </form>
      </>
    ),
  });
}

/** Returns the pages to choose from. A stored one that is not in the list stays a choice. */
function pagesOf({ pages, values }: WebhookPage, current: WebhookValues): { value: string; text: string }[] {
  const listed = pages.map(({ id, name }) => ({ value: id, text: cut(name, MAX_NAME) }));
  const others = new Set([values.status_page_id, current.status_page_id]);
  for (const { value } of [{ value: '' }, ...listed]) others.delete(value);
  return [
    { value: '', text: words.all_pages },
    ...listed,
    ...[...others].map((value) => ({ value, text: words.other_page })),
  ];
}

/** Returns the chosen events in words. */
export function eventsOf({ event_types }: Pick<WebhookValues, 'event_types'>): string {
  if (event_types === null) return words.all_events;
  return event_types.map((type) => (isEventType(type) ? words.event[type] : cut(type, MAX_NAME))).join(', ');
}
