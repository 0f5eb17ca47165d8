import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import { type Count, RequestCounts } from '../../platform/server/request-counts.js';
import { readFile } from '../../platform/validation/body.js';
import { isSlug } from '../../platform/validation/slug.js';
import { SubscriptionsService } from '../../subscribers/subscriptions.service.js';
import { PageCache } from '../cache/page-cache.js';
import { renderSubscribe } from '../components/subscribe-page.js';
import { renderSubscriptionMessage } from '../components/subscription-pages.js';
import { PrivateVisits } from './private-visits.js';
import { PublicPageService } from './public-page.service.js';
import { VisitorPages, visitOf } from './visitor-pages.js';
import { checkChoices, checkEmail, FORM_BODY, readForm } from './subscription-form.js';

/** Maximum number of subscriptions that a client network requests in an hour, for all pages together. */
export const MAX_SUBSCRIPTIONS = 20;

const HOUR_SECONDS = 3_600;

/** Handles the form of visitors who subscribe by mail. */
@Injectable()
export class SubscriptionFlow {
  constructor(
    private readonly visitors: PublicPageService,
    private readonly pages: VisitorPages,
    private readonly privateVisits: PrivateVisits,
    private readonly cache: PageCache,
    private readonly subscriptions: SubscriptionsService,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /**
   * Stores the form. The response is the same for each valid address, and so are the statements.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async subscribe(request: Request, response: Response): Promise<void> {
    const { slug } = request.params;
    if (!isSlug(slug) || request.path !== `/status/${slug}/subscribe`)
      return this.visitors.respondNotFound(response);
    const values = readForm(await readFile(request, FORM_BODY));
    const reply = () =>
      this.pages.run(async () => {
        const held = await this.cache.directory.find(slug);
        const admitted = held ? undefined : await this.privateVisits.admitted(request, slug);
        const id = held?.id ?? admitted?.id;
        const visit = visitOf(request);
        if (id === undefined || !this.pages.serves(id, visit)) return undefined;
        const page = await this.pages.read(id, visit, admitted);
        if (!page || page.part.page.subscribing !== 'mail' || page.part.page.slug !== slug) return undefined;
        const { part, view } = page;
        const { errors, choices } = checkChoices(values, part.sections);
        const all = { ...checkEmail(values), ...errors };
        if (!choices || Object.keys(all).length > 0)
          return { status: 400, document: renderSubscribe(part, view, values, all) };
        const { used, secondsLeft } = await this.count(request);
        if (used > MAX_SUBSCRIPTIONS) {
          const { too_many, too_many_text } = view.words.subscription;
          const document = renderSubscriptionMessage(part, view, too_many, too_many_text);
          request.error_code = 'rate_limited';
          return { status: 429, document, headers: { 'Retry-After': String(secondsLeft) } };
        }
        await this.subscriptions.request(page, { email: values.email, ...choices });
        const { sent, sent_text } = view.words.subscription;
        return { status: 200, document: renderSubscriptionMessage(part, view, sent, sent_text) };
      });
    await this.visitors.respondPrivately(request, response, reply, () =>
      this.visitors.respondMissing(request, response, { slug, part: { kind: 'subscribe' } }),
    );
  }

  private async count(request: Request): Promise<Count> {
    const network = clientNetworkOf(this.clientAddress.of(request));
    return this.counts.add({
      name: `subscriptions:${network}`,
      limit: MAX_SUBSCRIPTIONS,
      seconds: HOUR_SECONDS,
    });
  }
}
