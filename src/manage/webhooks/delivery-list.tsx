import type { EndpointDelivery } from '../../deliveries/endpoint-deliveries.repository.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../deliveries/delivery.entity.js';
import { Shape } from '../../page-documents/components/status.js';
import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { Pager, type Part } from '../pager.js';
import { Tabs } from '../tabs.js';
import { timeOf } from '../times.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { DELIVERY_SIGNS, eventOf, PATH } from './webhook-state.js';

const { webhooks: words } = WORDS;

/** Returns the status of deliveries in a query; undefined: all. */
export function statusIn(query: URLSearchParams): DeliveryStatus | undefined {
  return DELIVERY_STATUSES.find((status) => status === query.get('status'));
}

/** Renders deliveries to a webhook, with links that choose some by their status. */
export function Deliveries({
  visit,
  endpoint: { id },
  rows,
  next,
}: Part<EndpointDelivery> & { visit: Visit; endpoint: WebhookEndpointDto }) {
  const path = `${PATH}/${id}`;
  const chosen = statusIn(visit.query);
  return (
    <section id="deliveries">
      <h2>{words.deliveries}</h2>
      <p class="quiet">{words.deliveries_text}</p>
      <Tabs
        label={words.filter}
        tabs={[undefined, ...DELIVERY_STATUSES].map((status) => ({
          path: `${path}${status === undefined ? '' : `?status=${status}`}#deliveries`,
          text: status === undefined ? words.all : words.delivery[status],
          isCurrent: status === chosen,
        }))}
      />
      {rows.length === 0 && <p>{words.no_deliveries}</p>}
      <ul class="rows">
        {rows.map((delivery) => (
          <li class="row">
            <a href={`${path}/deliveries/${delivery.id}`}>
              <Shape status={DELIVERY_SIGNS[delivery.status]} />
              <span class="what">{eventOf(delivery.event_type)}</span>
              <span class="quiet">{summaryOf(delivery)}</span>
            </a>
          </li>
        ))}
      </ul>
      <Pager visit={visit} path={path} next={next} />
    </section>
  );
}

/** Returns status, time, attempts and the last response of a delivery. */
function summaryOf({ status, created_at, attempt_count, attempts }: EndpointDelivery): string {
  const code = attempts.at(-1)?.status_code ?? null;
  return [
    words.delivery[status],
    timeOf(created_at),
    ...(attempt_count > 0 ? [words.attempts(attempt_count)] : []),
    ...(code === null ? [] : [words.code(code)]),
  ].join(' · ');
}

/** Renders the body of a response as text. `text`: null without a response. */
export function Response({ text }: { text: string | null }) {
  if (text === null) return <p class="quiet">{words.no_response}</p>;
  if (text.trim() === '') return <p class="quiet">{words.empty_response}</p>;
  return (
    <pre class="response" dir="auto">
      {/* A browser removes the first line break. */}
      {`\n${text}`}
    </pre>
  );
}
