import type { OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery, Outcome, Recipients } from '../deliveries/channel.js';
import type { DeliveriesService } from '../deliveries/deliveries.service.js';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import type { MailMessage } from './mail-message.js';
import { outcomeOf } from './mail-result.js';
import type { MailTransport } from './mail-transport.js';
import { MAX_LINKS } from './smtp-options.js';

/** Time between two attempts. */
const RETRY_MS = 20_000;

/** Mail to send, or the outcome of a delivery without mail. */
export type Prepared = MailMessage | (Outcome & { kind: 'cancelled' | 'failed' });

/**
 * A channel of mail to people who have requested it, such as a link. It is a channel of its own, so that it never waits behind mail to many
 * subscribers. Each attempt prepares a new message, because only the hashes of its tokens are stored.
 */
export abstract class RequestMailChannel<Request> implements Channel, OnModuleInit {
  abstract readonly name: string;
  readonly concurrency = MAX_LINKS;

  constructor(
    private readonly registry: DeliveriesService,
    private readonly transport: MailTransport,
    private readonly logger: Logger,
  ) {}

  /** Returns the requests by the IDs of their deliveries. A delivery without one is cancelled. */
  protected abstract find(deliveries: ClaimedDelivery[]): Promise<Map<string, Request>>;

  /** Returns the message of one attempt. */
  protected abstract write(delivery: ClaimedDelivery, request: Request): Promise<Prepared>;

  /** Deletes a request that has been handled. */
  protected abstract delete(request: Request): Promise<void>;

  get isAvailable(): boolean {
    return this.transport.isConfigured;
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  /** No event causes such mail. */
  async recipientsOf(): Promise<Recipients> {
    return { ids: [], next: null };
  }

  async prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>> {
    const requests = await this.find(deliveries);
    return (delivery) => this.sendOne(delivery, requests.get(delivery.id));
  }

  private async sendOne(delivery: ClaimedDelivery, request: Request | undefined): Promise<Outcome> {
    if (!request) return { kind: 'cancelled' };
    try {
      const prepared = await this.write(delivery, request);
      const outcome =
        'kind' in prepared ? prepared : outcomeOf(await this.transport.send(prepared), RETRY_MS);
      if (outcome.kind !== 'retry') await this.deleteRequest(delivery, request);
      return outcome;
    } catch (error) {
      const isOutage = isUnavailable(error);
      const level = isOutage ? 'warn' : 'error';
      this.logger[level]({ delivery_id: delivery.id, err: error }, 'could not send a mail; retrying');
      const reason = isOutage ? 'database unavailable' : 'internal error';
      return outcomeOf({ kind: 'deferred', reason, slow_down: isOutage ? 'channel' : null }, RETRY_MS);
    }
  }

  /** Deletes a request that has been handled. A failure has no effect on the delivery, because another attempt would send the mail twice. */
  private async deleteRequest({ id: delivery_id }: ClaimedDelivery, request: Request): Promise<void> {
    try {
      await this.delete(request);
    } catch (error) {
      this.logger.warn({ delivery_id, err: error }, 'could not delete the request of a link by mail');
    }
  }
}
