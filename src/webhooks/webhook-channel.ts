import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { Channel, ClaimedDelivery, Outcome, Position, Recipients } from '../deliveries/channel.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { NotifiedEvent } from '../events/events.service.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { WebhookWriter } from './content/webhook-writer.js';
import { EndpointAudience } from './endpoint-audience.js';
import { EndpointHealth } from './endpoint-health.js';
import { type DeliverableEndpoint, EndpointRecipients } from './endpoint-recipients.js';
import { EndpointSlots } from './endpoint-slots.js';
import { headersFor } from './headers-for.js';
import { MAX_CONNECTIONS, type WebhookResponse, WebhookSender } from './outbound/webhook-sender.js';
import { pauseAfter } from './retry-schedule.js';

const GONE = 410;

/** Pause after an internal error, which does not count as an attempt. */
const INTERNAL_ERROR_MS = 60_000;

/** Sends events to webhook endpoints. */
@Injectable()
export class WebhookChannel implements Channel, OnModuleInit {
  readonly name = 'webhook';
  readonly isBounded = false; // at most 100 endpoints
  readonly concurrency = MAX_CONNECTIONS;
  private readonly slots = new EndpointSlots();

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly audience: EndpointAudience,
    private readonly recipients: EndpointRecipients,
    private readonly writer: WebhookWriter,
    private readonly sender: WebhookSender,
    private readonly health: EndpointHealth,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  /** All together, because a project has at most 100 endpoints. */
  async recipientsOf(
    event: NotifiedEvent,
    _after: Position,
    _limit: number,
    manager: EntityManager,
  ): Promise<Recipients> {
    return { ids: await this.audience.of(event, manager), next: null };
  }

  async prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>> {
    const ids = [...new Set(deliveries.map(({ recipient_id }) => recipient_id))];
    const endpoints = new Map((await this.recipients.find(ids)).map((endpoint) => [endpoint.id, endpoint]));
    return (delivery) => this.sendOne(delivery, endpoints.get(delivery.recipient_id));
  }

  private async sendOne(
    delivery: ClaimedDelivery,
    endpoint: DeliverableEndpoint | undefined,
  ): Promise<Outcome> {
    if (endpoint?.status !== 'enabled' || delivery.event_id === null) return { kind: 'cancelled' };
    if (endpoint.format === 'standard' && endpoint.secrets.length === 0) return unsigned(delivery.attempts);
    const giveBack = this.slots.take(endpoint.id);
    if (typeof giveBack === 'number') return { kind: 'postponed', after_ms: giveBack };
    let isSuccess = true; // an internal error is not the endpoint's failure
    try {
      const body = await this.writer.bodyOf(endpoint, delivery.event_id);
      if (body === undefined) return { kind: 'cancelled' };
      const at = new Date();
      const message = { id: delivery.event_id, timestamp: at, body };
      const response = await this.sender.post(endpoint.url, headersFor(endpoint, message), body);
      isSuccess = response.error === null;
      await this.record(endpoint, response);
      return outcomeOf(response, delivery.attempts, at);
    } catch (error) {
      this.logger.warn({ delivery_id: delivery.id, err: error }, 'could not send a webhook; retrying');
      return { kind: 'postponed', after_ms: INTERNAL_ERROR_MS };
    } finally {
      giveBack(isSuccess);
    }
  }

  /** Records the result in the endpoint. A failure has no effect on the delivery, whose outcome is known. */
  private async record(
    endpoint: DeliverableEndpoint,
    { error, status_code }: WebhookResponse,
  ): Promise<void> {
    try {
      if (error === null) await this.health.succeeded(endpoint);
      else if (status_code === GONE) await this.health.gone(endpoint);
      else await this.health.failed(endpoint);
    } catch (err) {
      this.logger.warn({ endpoint_id: endpoint.id, err }, 'could not save the state of a webhook endpoint');
    }
  }
}

function outcomeOf(response: WebhookResponse, attempts: number, at: Date): Outcome {
  const { status_code, duration_ms, error, retry_after_ms } = response;
  const attempt = { at: at.toISOString(), duration_ms, status_code, response: response.response, error };
  if (error === null) return { kind: 'delivered', attempt };
  const after_ms = status_code === GONE ? null : pauseAfter(attempts, retry_after_ms);
  return after_ms === null ? { kind: 'failed', error, attempt } : { kind: 'retry', error, after_ms, attempt };
}

/** Without the key of the instance that encrypted the secret, for example after a change of SECRET_KEY. */
function unsigned(attempts: number): Outcome {
  const error = 'the secret of the endpoint cannot be decrypted';
  const after_ms = pauseAfter(attempts, null);
  return after_ms === null ? { kind: 'failed', error } : { kind: 'retry', error, after_ms };
}
