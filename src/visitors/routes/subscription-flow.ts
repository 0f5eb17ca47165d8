import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Place } from '../../platform/server/fair-queue.js';
import type { Subject } from '../../platform/server/request-counts.js';
import { readForm, type SentForm } from '../../platform/validation/form.js';
import { SubscriptionsService } from '../../subscribers/subscriptions.service.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { DocumentCache } from '../cache/document-cache.js';
import { renderSubscribe } from '../../page-documents/components/subscribe-page.js';
import { renderSubscriptionMessage } from '../../page-documents/components/subscription-pages.js';
import { PrivatePages } from './private-pages.js';
import { PageResponder } from './page-responder.js';
import { type PrivateReply, tooMany } from './private-reply.js';
import { type VisitorPage, UncachedPages, visitOf } from './uncached-pages.js';
import { VisitorLimits } from './visitor-limits.js';
import { placeOf, VisitorPlaces } from './visitor-places.js';
import { checkChoices, MAX_FORM_BYTES, SubscribeForm, valuesIn } from './subscription-form.js';

/** Maximum number of subscriptions that a client network requests in an hour, for all pages together. */
export const MAX_SUBSCRIPTIONS = 20;

const subscriptionLimit = (network: string): Subject => ({
  name: `subscriptions:${network}`,
  limit: MAX_SUBSCRIPTIONS,
  seconds: 3_600,
});

/** Handles the form of visitors who subscribe by mail. */
@Injectable()
export class SubscriptionFlow {
  constructor(
    private readonly visitors: PageResponder,
    private readonly pages: UncachedPages,
    private readonly privateVisits: PrivatePages,
    private readonly cache: DocumentCache,
    private readonly subscriptions: SubscriptionsService,
    private readonly places: VisitorPlaces,
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Stores the form. The response is the same for each valid address, and so are the statements.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async subscribe(request: Request, response: Response): Promise<void> {
    const form = await readForm(request, SubscribeForm, MAX_FORM_BYTES);
    await this.visitors.respondPrivately(
      request,
      response,
      (slug) => this.reply(request, slug, form),
      (slug) => this.visitors.respondMissing(request, response, { slug, part: { kind: 'subscribe' } }),
    );
  }

  private async reply(
    request: Request,
    slug: string,
    form: SentForm<SubscribeForm>,
  ): Promise<PrivateReply | undefined> {
    const { value } = form;
    const blockedFor = value ? undefined : await this.limits.addMalformed(request);
    const place = await this.places.stranger(request, slug);
    const page = await this.pageFor(request, slug, place);
    if (!page || page.part.page.subscribing !== 'mail' || page.part.page.slug !== slug) return undefined;
    if (blockedFor !== undefined) return tooMany(request, tooManyOf(page), blockedFor);
    const { part, view } = page;
    const { errors, choices } = checkChoices(form, part.sections);
    if (!value || !choices) {
      const seconds = value && (await this.limits.addMalformed(request));
      if (seconds !== undefined) return tooMany(request, tooManyOf(page), seconds);
      return { status: 400, document: renderSubscribe(part, view, valuesIn(form), errors) };
    }
    const seconds = await this.limits.add([subscriptionLimit(this.limits.networkOf(request))]);
    if (seconds !== undefined) return tooMany(request, tooManyOf(page), seconds);
    await this.pages.run(place, () => this.subscriptions.request(page, { email: value.email, ...choices }));
    const { sent, sent_text } = view.words.subscription;
    return { status: 200, document: renderSubscriptionMessage(part, view, sent, sent_text, 'mail') };
  }

  /** Reads the page of a form, which visitors of a public page share. */
  private async pageFor(request: Request, slug: string, place: Place): Promise<VisitorPage | undefined> {
    const held = await this.cache.directory.find(slug);
    const visit = visitOf(request);
    if (held)
      return this.pages.serves(held.id, visit) ? this.pages.readForAll(place, held.id, visit) : undefined;
    const admitted = await this.privateVisits.admitted(request, slug);
    if (!admitted || !this.pages.serves(admitted.page.id, visit)) return undefined;
    const { page, token } = admitted;
    return this.pages.run(placeOf(page), () => this.pages.read(page.id, visit, { token }));
  }
}

function tooManyOf({ part, view }: VisitorPage): PageDocument {
  const { too_many, too_many_text } = view.words.subscription;
  return renderSubscriptionMessage(part, view, too_many, too_many_text);
}
