import type { Attempt } from '../../deliveries/delivery.entity.js';
import type { EndpointDelivery } from '../../deliveries/endpoint-deliveries.repository.js';
import { Shape } from '../../page-documents/components/status.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import type { Errors } from '../errors-of-fields.js';
import { Summary, Token } from '../fields.js';
import { Kept } from '../kept-fields.js';
import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { Response } from './delivery-list.js';
import { dateOf, DELIVERY_SIGNS, eventOf, PATH, timeOf, urlOf } from './webhook-state.js';

const { webhooks: words, saving } = WORDS;

/** Maximum size of all responses and errors of a screen, in bytes of HTML. */
const MAX_BYTES = 18_000;

/** Fields that the review of past events replaces. */
const CONTROL: ReadonlySet<string> = new Set(['step', 'key']);

interface Page {
  endpoint: WebhookEndpointDto;
  delivery: EndpointDelivery;
  errors?: Errors;
}

/** Renders a delivery with its attempts, newest first, and the button that sends it again. */
export function renderDelivery(visit: Visit, { endpoint, delivery, errors }: Page): Reply {
  const { id, status, event_type, attempts } = delivery;
  const done = visit.query.get('done') === 'again' ? words.is_again : undefined;
  const title = eventOf(event_type);
  return screen({
    title,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb path={`${PATH}/${endpoint.id}`} text={urlOf(endpoint)} />
        <h1>{title}</h1>
        <p class="headline-now">
          <Shape status={DELIVERY_SIGNS[status]} /> {words.delivery[status]}
        </p>
        <Summary text={errors?.['form'] ?? done} role={errors ? 'alert' : 'status'} />
        <Facts delivery={delivery} />
        {may(visit, 'webhooks:write') &&
          (endpoint.status === 'disabled' ? (
            <p class="quiet">{words.again_disabled}</p>
          ) : (
            <form method="post" action={`${PATH}/${endpoint.id}/deliveries/${id}/retry`}>
              <FormKeys visit={visit} />
              <p class="quiet">{words.again_hint}</p>
              <div class="actions">
                <button class="button plain" type="submit">
                  {words.again}
                </button>
              </div>
            </form>
          ))}
        <section>
          <h2>{words.attempts_title}</h2>
          {attempts.length === 0 ? (
            <p class="quiet">{words.no_attempts}</p>
          ) : (
            <p class="quiet">{words.last_attempts}</p>
          )}
          <Attempts attempts={attempts.toReversed()} />
        </section>
      </>
    ),
  });
}

function Facts({ delivery }: { delivery: EndpointDelivery }) {
  const { event_id, event_type, attempt_count, created_at, finished_at, next_attempt_at } = delivery;
  return (
    <dl class="facts">
      {event_type !== null && (
        <>
          <dt>{words.type}</dt>
          <dd>
            <code>{event_type}</code>
          </dd>
        </>
      )}
      <dt>{words.message_id}</dt>
      <dd>
        <code>{event_id}</code>
      </dd>
      <dt>{words.created}</dt>
      <dd>{timeOf(created_at)}</dd>
      {finished_at && (
        <>
          <dt>{words.finished}</dt>
          <dd>{timeOf(finished_at)}</dd>
        </>
      )}
      {next_attempt_at && (
        <>
          <dt>{words.next}</dt>
          <dd>{timeOf(next_attempt_at)}</dd>
        </>
      )}
      <dt>{words.attempts_title}</dt>
      <dd>{attempt_count}</dd>
    </dl>
  );
}

/** Renders attempts, and leaves out the texts after {@link MAX_BYTES}. */
function Attempts({ attempts }: { attempts: Attempt[] }) {
  let left = MAX_BYTES;
  return (
    <ol class="attempts">
      {attempts.map(({ at, duration_ms, status_code, response, error }) => {
        left -= sizeOf(response ?? '') + sizeOf(error ?? '');
        const facts = [timeOf(at), words.attempt(duration_ms)];
        if (status_code !== null) facts.push(words.code(status_code));
        return (
          <li>
            <p class="headline-now">
              <Shape status={error === null ? 'operational' : 'major_outage'} /> {facts.join(' · ')}
            </p>
            {left < 0 ? (
              <p class="quiet">{words.cut}</p>
            ) : (
              <>
                {error !== null && error !== `status ${status_code}` && <p dir="auto">{error}</p>}
                <Response text={response} />
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Returns the size of a text in HTML, in bytes, at most. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text.replaceAll(/["&<>]/g, '&quot;'));
}

interface Review {
  endpoint: WebhookEndpointDto;
  /** Number of events. */
  number: number;
  since: Date;
  /** Makes the replay happen once. */
  key: string;
}

/** Asks before past events are sent again, with their number. */
export function renderReplay(visit: Visit, { endpoint, number, since, key }: Review): Reply {
  const path = `${PATH}/${endpoint.id}`;
  return screen({
    title: words.review_title,
    visit,
    children: (
      <>
        <Crumb path={path} text={urlOf(endpoint)} />
        <h1>{words.review_title}</h1>
        <form class="form" method="post" action={`${path}/replay`}>
          <Token visit={visit} />
          <Kept sent={visit.sent} without={CONTROL} />
          <input type="hidden" name="key" value={key} />
          <p>{words.review_text(number, dateOf(since))}</p>
          <div class="actions">
            {number > 0 && (
              <button class="button" type="submit" name="step" value="publish">
                {words.replay_button(number)}
              </button>
            )}
            <a class="button plain" href={path}>
              {saving.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}
