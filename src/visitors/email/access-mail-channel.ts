import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery, Outcome, Recipients } from '../../deliveries/channel.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { PageUrls } from '../../domains/page-urls.js';
import { accessMail } from '../../mail/components/subscription-mail.js';
import { toMailPage } from '../../page-model/mail-content.js';
import type { MailMessage } from '../../mail/mail-message.js';
import { outcomeOf } from '../../mail/mail-result.js';
import { MailTransport } from '../../mail/mail-transport.js';
import { MAX_LINKS } from '../../mail/smtp-options.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { isUnavailable } from '../../platform/problems/problem.filter.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { AccessRulesService } from '../../access/access-rules.service.js';
import { ACCESS_CHANNEL } from './email-links.service.js';
import { EmailLinksRepository, type EmailRequest } from './email-links.repository.js';
import { matchesEmail } from './email-match.js';
import { createEmailToken, LINK_MS } from './email-tokens.js';

/** Time between two attempts. */
const RETRY_MS = 20_000;

/** Sends links to private pages. Its own channel, so that no visitor waits for mail to many subscribers. */
@Injectable()
export class AccessMailChannel implements Channel, OnModuleInit {
  readonly name = ACCESS_CHANNEL;
  readonly concurrency = MAX_LINKS;

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly repository: EmailLinksRepository,
    private readonly rules: AccessRulesService,
    private readonly pages: PageReader,
    private readonly urls: PageUrls,
    private readonly transport: MailTransport,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get isAvailable(): boolean {
    return this.transport.isConfigured;
  }

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  /** No event causes such mail. */
  async recipientsOf(): Promise<Recipients> {
    return { ids: [], next: null };
  }

  async prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>> {
    const found = await this.repository.findRequests(deliveries.map(({ recipient_id }) => recipient_id));
    const byId = new Map(found.map((request) => [request.id, request]));
    return (delivery) => this.sendOne(delivery, byId.get(delivery.recipient_id));
  }

  private async sendOne(delivery: ClaimedDelivery, request: EmailRequest | undefined): Promise<Outcome> {
    if (!request) return { kind: 'cancelled' };
    try {
      const outcome = await this.handle(delivery, request);
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

  /** Deletes a form that has been handled. A failure has no effect on the delivery, because another attempt would send the mail twice. */
  private async deleteRequest({ id: delivery_id }: ClaimedDelivery, request: EmailRequest): Promise<void> {
    try {
      await this.repository.deleteRequest(request);
    } catch (error) {
      this.logger.warn({ delivery_id, err: error }, 'could not delete the request of a link by mail');
    }
  }

  /** Each attempt has a token of its own, because only its hash is stored. */
  private async handle(delivery: ClaimedDelivery, request: EmailRequest): Promise<Outcome> {
    if (request.created_at.getTime() < Date.now() - LINK_MS)
      return { kind: 'failed', error: 'not sent within 15 minutes' };
    const rules = await this.rules.find(request.status_page_id);
    if (!rules || !matchesEmail(rules, request.email)) return { kind: 'cancelled' };
    const message = await this.messageOf(delivery, request);
    if (!message) return { kind: 'cancelled' };
    return outcomeOf(await this.transport.send(message), RETRY_MS);
  }

  private async messageOf(
    delivery: ClaimedDelivery,
    request: EmailRequest,
  ): Promise<MailMessage | undefined> {
    const page = await this.pages.read(request.status_page_id, async (snapshot) => toMailPage(snapshot.page));
    if (!page) return undefined;
    const { token, hash } = createEmailToken();
    await this.repository.insertToken(request, hash);
    const base = this.urls.of({ id: request.status_page_id, slug: page.slug });
    const to = request.wanted === '' ? '' : `?${new URLSearchParams({ to: request.wanted })}`;
    const mail = accessMail(page, `${base}/access/email/${token}${to}`);
    return {
      ...mail,
      to: request.email,
      page_name: page.name,
      isReply: true,
      key: `${delivery.id}:${delivery.attempts}`,
    };
  }
}
