import type { EndpointDelivery } from '../../deliveries/endpoint-deliveries.repository.js';
import { Shape } from '../../page-documents/components/status.js';
import type { WebhookTestDto } from '../../webhooks/dto/webhook-delivery.dto.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { SubmitButton } from '../buttons.js';
import type { Errors } from '../errors-of-fields.js';
import { Facts } from '../facts.js';
import { Summary, TextField, Token } from '../fields.js';
import { screen } from '../frame.js';
import type { Part } from '../pager.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import { dateOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { Deliveries, Response } from './delivery-list.js';
import { eventsOf, valuesOf } from './webhook-form.js';
import { PATH, stateOf, urlOf } from './webhook-state.js';

const { webhooks: words, saving } = WORDS;

/** Changes that the screen confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['added', words.added],
  ['saved', saving.saved],
  ['enabled', words.is_enabled],
  ['disabled', words.is_disabled],
  ['repeated', words.repeated],
]);

/** A webhook with its page and deliveries, for its screen. */
export interface ReadWebhook {
  endpoint: WebhookEndpointDto;
  /** Name of its status page; undefined: the page is deleted, or the webhook is for all pages. */
  pageName: string | undefined;
  deliveries: Part<EndpointDelivery>;
}

/** Result of a form, beside the webhook. */
export interface Happened {
  /** Result of a test. */
  test?: WebhookTestDto;
  /** Start of the past events to send again, as entered. */
  since?: string;
  errors?: Errors | undefined;
}

/** Renders a webhook with its state and its deliveries, and the forms that act on it. */
export function renderWebhook(visit: Visit, read: ReadWebhook, happened: Happened = {}): Reply {
  const { endpoint, deliveries } = read;
  const { test, errors } = happened;
  const { sign, text } = stateOf(endpoint);
  const mayWrite = may(visit, 'webhooks:write');
  return screen({
    title: urlOf(endpoint),
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb path={`${PATH}?project=${endpoint.project_id}`} text={words.title} />
        <h1>
          <bdi class="url">{urlOf(endpoint)}</bdi>
        </h1>
        {endpoint.description !== null && (
          <p class="quiet" dir="auto">
            {endpoint.description}
          </p>
        )}
        <p class="headline-now">
          <Shape status={sign} /> {text}
        </p>
        <Summary
          text={errors?.['form'] ?? (test ? undefined : doneIn(visit))}
          role={errors ? 'alert' : 'status'}
        />
        {test && <TestResult test={test} />}
        {mayWrite && endpoint.status === 'disabled' && <p>{words.missed}</p>}
        {mayWrite && <Actions visit={visit} endpoint={endpoint} />}
        <WebhookFacts {...read} />
        <Deliveries endpoint={endpoint} visit={visit} {...deliveries} />
        {mayWrite && <Replay visit={visit} endpoint={endpoint} {...happened} />}
        {mayWrite && endpoint.format === 'standard' && <Secret visit={visit} endpoint={endpoint} />}
        {mayWrite && (
          <p class="actions">
            <a class="button danger" href={`${PATH}/${endpoint.id}/delete`}>
              {saving.delete}
            </a>
          </p>
        )}
      </>
    ),
  });
}

function doneIn({ query }: Visit): string | undefined {
  const done = query.get('done') ?? '';
  const [, sent] = /^sent-(\d{1,5})$/.exec(done) ?? [];
  return sent === undefined ? DONE.get(done) : words.replayed(Number(sent));
}

function TestResult({ test: { error, duration_ms, response } }: { test: WebhookTestDto }) {
  return (
    <section>
      <Summary
        text={error === null ? words.test_works(duration_ms) : words.test_fails(error)}
        role={error === null ? 'status' : 'alert'}
      />
      <Response text={response} />
    </section>
  );
}

interface Props {
  visit: Visit;
  endpoint: WebhookEndpointDto;
}

function Actions({ visit, endpoint: { id, status } }: Props) {
  const isEnabled = status === 'enabled';
  return (
    <div class="actions">
      <form method="post" action={`${PATH}/${id}/test`}>
        <Token visit={visit} />
        <button class="button plain" type="submit">
          {words.test}
        </button>
      </form>
      <a class="button plain" href={`${PATH}/${id}/edit`}>
        {words.change}
      </a>
      <form method="post" action={`${PATH}/${id}/status`}>
        <Token visit={visit} />
        <button class="button plain" type="submit" name="status" value={isEnabled ? 'disabled' : 'enabled'}>
          {isEnabled ? words.disable : words.enable}
        </button>
      </form>
    </div>
  );
}

function WebhookFacts({ endpoint, pageName }: ReadWebhook) {
  const { format, status_page_id } = endpoint;
  return (
    <Facts
      facts={[
        [words.format, words.formats[format]],
        [words.events, eventsOf(valuesOf(endpoint))],
        [words.page, status_page_id !== null && <bdi>{pageName ?? words.other_page}</bdi>],
      ]}
    />
  );
}

function Replay({ visit, endpoint, since, errors }: Props & Happened) {
  return (
    <section>
      <h2>{words.replay}</h2>
      {endpoint.status === 'disabled' ? (
        <p class="quiet">{words.replay_disabled}</p>
      ) : (
        <form class="form" method="post" action={`${PATH}/${endpoint.id}/replay`}>
          <Token visit={visit} />
          <TextField
            name="since"
            type="datetime-local"
            label={words.since}
            hint={words.replay_hint}
            value={since}
            errors={errors}
          />
          <SubmitButton text={words.review} isPlain />
        </form>
      )}
    </section>
  );
}

function Secret({ visit, endpoint: { id, former_secret_until } }: Props) {
  const isRotated = former_secret_until !== null && new Date(former_secret_until) > new Date();
  return (
    <section>
      <h2>{words.rotate_title}</h2>
      <p class="quiet">{isRotated ? words.rotate_again(dateOf(former_secret_until)) : words.rotate_hint}</p>
      <form method="post" action={`${PATH}/${id}/secret`}>
        <FormKeys visit={visit} />
        <SubmitButton text={words.rotate} isPlain />
      </form>
    </section>
  );
}
