import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ClaimedDelivery } from '../../deliveries/channel.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { PageUrls } from '../../domains/page-urls.js';
import { accessMail } from '../../mail/components/subscription-mail.js';
import { toMailPage } from '../../page-model/mail-content.js';
import { MailTransport } from '../../mail/mail-transport.js';
import { type Prepared, RequestMailChannel } from '../../mail/request-mail-channel.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { AccessRulesService } from '../../access/access-rules.service.js';
import { ACCESS_CHANNEL } from './email-links.service.js';
import { EmailLinksRepository, type EmailRequest } from './email-links.repository.js';
import { matchesEmail } from './email-match.js';
import { createEmailToken, LINK_MS } from './email-tokens.js';

/** Sends links to private pages. */
@Injectable()
export class AccessMailChannel extends RequestMailChannel<EmailRequest> {
  readonly name = ACCESS_CHANNEL;

  constructor(
    deliveries: DeliveriesService,
    transport: MailTransport,
    @Inject(LOGGER) logger: Logger,
    private readonly repository: EmailLinksRepository,
    private readonly rules: AccessRulesService,
    private readonly pages: PageReader,
    private readonly urls: PageUrls,
  ) {
    super(deliveries, transport, logger);
  }

  protected async find(deliveries: ClaimedDelivery[]): Promise<Map<string, EmailRequest>> {
    const found = await this.repository.findRequests(deliveries.map(({ recipient_id }) => recipient_id));
    const byId = new Map(found.map((request) => [request.id, request]));
    return new Map(
      deliveries.flatMap(({ id, recipient_id }) => {
        const request = byId.get(recipient_id);
        return request ? [[id, request]] : [];
      }),
    );
  }

  protected async delete(request: EmailRequest): Promise<void> {
    await this.repository.deleteRequest(request);
  }

  protected async write(delivery: ClaimedDelivery, request: EmailRequest): Promise<Prepared> {
    if (request.created_at.getTime() < Date.now() - LINK_MS)
      return { kind: 'failed', error: 'not sent within 15 minutes' };
    const rules = await this.rules.find(request.status_page_id);
    if (!rules || !matchesEmail(rules, request.email)) return { kind: 'cancelled' };
    const page = await this.pages.read(request.status_page_id, async (snapshot) => toMailPage(snapshot.page));
    if (!page) return { kind: 'cancelled' };
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
