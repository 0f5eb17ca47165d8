import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import type { Place } from '../../platform/server/fair-queue.js';
import { type Count, RequestCounts } from '../../platform/server/request-counts.js';
import { readForm } from '../../platform/validation/form.js';
import { isSlug } from '../../platform/validation/slug.js';
import { SubscriptionsService } from '../../subscribers/subscriptions.service.js';
import { DocumentCache } from '../cache/document-cache.js';
import type { FormValues } from '../../page-documents/components/subscription-fields.js';
import { renderSubscribe } from '../../page-documents/components/subscribe-page.js';
import { renderSubscriptionMessage } from '../../page-documents/components/subscription-pages.js';
import { MalformedForms } from './malformed-forms.js';
import { PrivatePages } from './private-pages.js';
import { type PrivateReply, PageResponder } from './page-responder.js';
import { type VisitorPage, UncachedPages, visitOf } from './uncached-pages.js';
import { placeOf, VisitorPlaces } from './visitor-places.js';
import { checkChoices, checkEmail, MAX_FORM_BYTES, valuesIn } from './subscription-form.js';

/** Maximum number of subscriptions that a client network requests in an hour, for all pages together. */
export const MAX_SUBSCRIPTIONS = 20;

const HOUR_SECONDS = 3_600;

/** Handles the form of visitors who subscribe by mail. */
@Injectable()
export class SubscriptionFlow {
  constructor(
    private readonly visitors: PageResponder,
    private readonly pages: UncachedPages,
    private readonly privateVisits: PrivatePages,
    private readonly cache: DocumentCache,
    private readonly subscriptions: SubscriptionsService,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
    private readonly places: VisitorPlaces,
    private readonly malformed: MalformedForms,
  ) {}

  /**
   * Stores the form. The response is the same for each valid address, and so are the statements.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async subscribe(request: Request, response: Response): Promise<void> {
    const { slug } = request.params;
    if (!isSlug(slug) || request.path !== `/status/${slug}/subscribe`)
      return this.visitors.respondNotFound(response);
    const values = valuesIn(await readForm(request, MAX_FORM_BYTES));
    await this.visitors.respondPrivately(
      request,
      response,
      () => this.reply(request, slug, values),
      () => this.visitors.respondMissing(request, response, { slug, part: { kind: 'subscribe' } }),
    );
  }

  private async reply(request: Request, slug: string, values: FormValues): Promise<PrivateReply | undefined> {
    const emailErrors = checkEmail(values);
    const isMalformed = emailErrors.email !== undefined;
    const blockedFor = isMalformed ? await this.malformed.count(request) : undefined;
    const place = await this.places.stranger(request, slug);
    const page = await this.pageFor(request, slug, place);
    if (!page || page.part.page.subscribing !== 'mail' || page.part.page.slug !== slug) return undefined;
    if (blockedFor !== undefined) return tooMany(request, page, blockedFor);
    const { part, view } = page;
    const { errors, choices } = checkChoices(values, part.sections);
    if (!choices || isMalformed) {
      const seconds = isMalformed ? undefined : await this.malformed.count(request);
      if (seconds !== undefined) return tooMany(request, page, seconds);
      return { status: 400, document: renderSubscribe(part, view, values, { ...emailErrors, ...errors }) };
    }
    const { used, secondsLeft } = await this.count(request);
    if (used > MAX_SUBSCRIPTIONS) return tooMany(request, page, secondsLeft);
    await this.pages.run(place, () => this.subscriptions.request(page, { email: values.email, ...choices }));
    const { sent, sent_text } = view.words.subscription;
    return { status: 200, document: renderSubscriptionMessage(part, view, sent, sent_text) };
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

  private async count(request: Request): Promise<Count> {
    const network = clientNetworkOf(this.clientAddress.of(request));
    return this.counts.add({
      name: `subscriptions:${network}`,
      limit: MAX_SUBSCRIPTIONS,
      seconds: HOUR_SECONDS,
    });
  }
}

function tooMany(request: Request, { part, view }: VisitorPage, seconds: number): PrivateReply {
  const { too_many, too_many_text } = view.words.subscription;
  const document = renderSubscriptionMessage(part, view, too_many, too_many_text);
  request.error_code = 'rate_limited';
  return { status: 429, document, headers: { 'Retry-After': String(seconds) } };
}
