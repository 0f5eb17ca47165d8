import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { AudiencesService } from '../deliveries/audiences.service.js';
import type { Channel, ClaimedDelivery, Outcome, Position, Recipients } from '../deliveries/channel.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { isOutage } from '../deliveries/is-outage.js';
import { EVENTS } from '../events/event-types.js';
import type { NotifiedEvent } from '../events/events.service.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import { type Audience, type Recipient, RecipientsService } from '../subscribers/recipients.service.js';
import type { MailMessage } from './mail-message.js';
import { outcomeOf, retryAfter } from './mail-result.js';
import { MailTransport } from './mail-transport.js';
import { MailWriter } from './mail-writer.js';
import { MAX_MESSAGES } from './smtp-options.js';

/** Pages whose subscribers one step looks for. */
const MAX_PAGES = 20;

/** After all IDs: a page has no further recipients. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Minimum number of deliveries that are recorded in the subscribers while others are being sent. */
const RECORDED_AT_ONCE = 25;

/** Sends mail to subscribers. */
@Injectable()
export class MailChannel implements Channel, OnModuleInit {
  readonly name = 'email';
  readonly waits = true;
  readonly concurrency = MAX_MESSAGES;
  /** Subscribers whose deliveries are not recorded yet. */
  private readonly delivered: string[] = [];

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly recipients: RecipientsService,
    private readonly audiences: AudiencesService,
    private readonly writer: MailWriter,
    private readonly transport: MailTransport,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get isAvailable(): boolean {
    return this.transport.isConfigured;
  }

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  /** Page by page. */
  async recipientsOf(
    event: NotifiedEvent,
    after: Position,
    limit: number,
    manager: EntityManager,
  ): Promise<Recipients> {
    const ids: string[] = [];
    const next = await this.walk(event, after, manager, async (audience, from) => {
      const found = await this.recipients.matching(audience, from, limit - ids.length, manager);
      ids.push(...found.ids);
      return found.last;
    });
    return { ids, next };
  }

  /** Counts them in the database, because a page can have 100,000 subscribers. */
  async countRecipients(
    event: NotifiedEvent,
    after: Position,
    limit: number,
    manager: EntityManager,
  ): Promise<{ count: number; next: Position | null }> {
    let count = 0;
    const next = await this.walk(event, after, manager, async (audience, from) => {
      const found = await this.recipients.countMatching(audience, from, limit - count, manager);
      count += found.count;
      return found.last;
    });
    return { count, next };
  }

  /**
   * Passes the audiences of some pages to `find`, until it has found enough.
   * @param find returns the ID after which a page can have further recipients; null: it has none
   */
  private async walk(
    event: NotifiedEvent,
    after: Position,
    manager: EntityManager,
    find: (audience: Audience, from: string | null) => Promise<string | null>,
  ): Promise<Position | null> {
    const { mail } = EVENTS[event.type];
    if (mail === null) return null;
    const choice = { from: after.page_id, limit: MAX_PAGES, is_subscribed: true };
    const { pages, last } = await this.audiences.somePagesOf(event, choice, manager);
    const { organization_id } = event;
    for (const page of pages) {
      const audience = {
        organization_id,
        page,
        is_maintenance: mail.topic === 'maintenances',
        is_edge: mail.detail === 'edge',
      };
      const from = page.id === after.page_id ? after.recipient_id : null;
      const lastFound = await find(audience, from);
      if (lastFound !== null) return { page_id: page.id, recipient_id: lastFound };
    }
    return last === null ? null : { page_id: last, recipient_id: LAST_ID };
  }

  async prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>> {
    const found = await this.recipients.find(deliveries.map(({ recipient_id }) => recipient_id));
    const byId = new Map(found.map((recipient) => [recipient.id, recipient]));
    return async (delivery) => {
      const outcome = await this.sendOne(delivery, byId.get(delivery.recipient_id));
      if (outcome.kind === 'delivered') this.delivered.push(delivery.recipient_id);
      return outcome;
    };
  }

  /** Records deliveries in their subscribers. A failure has no effect on the deliveries, whose outcome is known. */
  async afterBatch(isLast: boolean): Promise<void> {
    if (!isLast && this.delivered.length < RECORDED_AT_ONCE) return;
    const ids = [...new Set(this.delivered.splice(0))].toSorted();
    try {
      await this.recipients.delivered(ids);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not save last_sent_at of subscribers');
    }
  }

  private async sendOne(delivery: ClaimedDelivery, recipient: Recipient | undefined): Promise<Outcome> {
    if (!recipient) return { kind: 'cancelled' };
    try {
      const message = await this.messageOf(delivery, recipient);
      if (!message) return { kind: 'cancelled' };
      const result = await this.transport.send(message);
      if (result.kind === 'refused' && result.bounce !== null)
        await this.recipients.refused(recipient.id, result.bounce === 'final');
      return outcomeOf(result, retryAfter(delivery.attempts));
    } catch (error) {
      const isTemporary = isUnavailable(error);
      const { id: delivery_id, attempts } = delivery;
      const level = isTemporary ? 'warn' : 'error';
      this.logger[level]({ delivery_id, err: error }, 'could not send a mail; retrying');
      const reason = isTemporary ? 'database unavailable' : 'internal error';
      // A timeout of a statement concerns only this mail, so the mail of other organizations does not slow down.
      return outcomeOf(
        { kind: 'deferred', reason, slow_down: isOutage(error) ? 'channel' : null },
        retryAfter(attempts),
      );
    }
  }

  private async messageOf(delivery: ClaimedDelivery, recipient: Recipient): Promise<MailMessage | undefined> {
    const expected = delivery.kind === 'confirmation' ? 'pending' : 'active';
    if (recipient.status !== expected) return undefined;
    return this.writer.messageTo(recipient, delivery);
  }
}
