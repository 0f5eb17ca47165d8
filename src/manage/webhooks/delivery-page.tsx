import type { Attempt } from '../../deliveries/delivery.entity.js';
import type { EndpointDelivery } from '../../deliveries/endpoint-deliveries.repository.js';
import { Shape } from '../../page-documents/components/status.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { SubmitButton } from '../buttons.js';
import type { Errors } from '../errors-of-fields.js';
import { Facts } from '../facts.js';
import { Summary } from '../fields.js';
import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import { timeOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { Response } from './delivery-list.js';
import { DELIVERY_SIGNS, eventOf, PATH, urlOf } from './webhook-state.js';

const { webhooks: words } = WORDS;

/** Maximum size of all responses and errors of a screen, in bytes of HTML. */
const MAX_BYTES = 18_000;

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
        <DeliveryFacts delivery={delivery} />
        {may(visit, 'webhooks:write') &&
          (endpoint.status === 'disabled' ? (
            <p class="quiet">{words.again_disabled}</p>
          ) : (
            <form method="post" action={`${PATH}/${endpoint.id}/deliveries/${id}/retry`}>
              <FormKeys visit={visit} />
              <p class="quiet">{words.again_hint}</p>
              <SubmitButton text={words.again} isPlain />
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

function DeliveryFacts({ delivery }: { delivery: EndpointDelivery }) {
  const { event_id, event_type, attempt_count, created_at, finished_at, next_attempt_at } = delivery;
  return (
    <Facts
      facts={[
        [words.type, event_type !== null && <code>{event_type}</code>],
        [words.message_id, <code>{event_id}</code>],
        [words.created, timeOf(created_at)],
        [words.finished, finished_at && timeOf(finished_at)],
        [words.next, next_attempt_at && timeOf(next_attempt_at)],
        [words.attempts_title, attempt_count],
      ]}
    />
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
