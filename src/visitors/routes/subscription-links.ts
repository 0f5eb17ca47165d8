import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Place } from '../../platform/server/fair-queue.js';
import { readForm, type SentForm } from '../../platform/validation/form.js';
import { PageLookupService } from '../../status-pages/page-lookup.service.js';
import { RecipientsService } from '../../subscribers/recipients.service.js';
import { SubscriptionTokens } from '../../subscribers/subscription-tokens.js';
import { type Subscription, SubscriptionsService } from '../../subscribers/subscriptions.service.js';
import { DocumentCache } from '../cache/document-cache.js';
import {
  renderConfirm,
  renderConfirmed,
  renderManage,
  renderSubscriptionMessage,
  renderUnsubscribe,
  renderUnsubscribeDeleted,
  renderUnsubscribedDeleted,
} from '../../page-documents/components/subscription-pages.js';
import type { FormErrors } from '../../page-documents/components/subscription-fields.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import { wordsOf } from '../../page-model/words.js';
import { PageResponder } from './page-responder.js';
import type { PrivateReply } from './private-reply.js';
import { type LinkKind, type VisitorPage, UncachedPages, type Visit, visitOf } from './uncached-pages.js';
import { VisitorPlaces } from './visitor-places.js';
import {
  checkChoices,
  ChoicesForm,
  MAX_FORM_BYTES,
  onlyNamed,
  valuesIn,
  valuesOf,
} from './subscription-form.js';

/** A link in mail. */
interface Link extends Visit {
  slug: string;
  token: string;
  /** ID of the public page with the slug. */
  page_id: string | undefined;
  /** Turn of a visitor with an invalid link. */
  place: Place;
}

/** A subscription and its page. */
interface Opened {
  subscription: Subscription;
  page: VisitorPage;
}

/** undefined: the link is invalid. */
type Reply = PrivateReply | undefined;

/**
 * Handles the links in mail. GET shows a page with a button, because scanners of mail follow links; only POST has an effect. The
 * links also work if the page has become private, or has another slug.
 */
@Injectable()
export class SubscriptionLinks {
  constructor(
    private readonly visitors: PageResponder,
    private readonly pages: UncachedPages,
    private readonly cache: DocumentCache,
    private readonly places: VisitorPlaces,
    private readonly pageLookup: PageLookupService,
    private readonly subscriptions: SubscriptionsService,
    private readonly recipients: RecipientsService,
    private readonly tokens: SubscriptionTokens,
  ) {}

  /** Shows the button that confirms. */
  async showConfirm(request: Request, response: Response): Promise<void> {
    await this.respond(request, response, 'confirm', async (link) => {
      const opened = await this.open(link, await this.subscriptions.find('confirm', link.token));
      if (opened?.subscription.status !== 'pending') return this.confirmedReply(opened, link);
      const { page, subscription } = opened;
      return ok(renderConfirm(page.part, page.view, subscription.email));
    });
  }

  async confirm(request: Request, response: Response): Promise<void> {
    await this.respond(request, response, 'confirm', async (link) => {
      const opened = await this.open(link, await this.subscriptions.find('confirm', link.token));
      if (!opened) return undefined;
      const subscription = await this.subscriptions.confirm(link.token);
      return this.confirmedReply(subscription && { ...opened, subscription }, link);
    });
  }

  private confirmedReply(opened: Opened | undefined, link: Link): Reply {
    if (opened?.subscription.status !== 'active') return undefined;
    const { page, subscription } = opened;
    const token = this.tokens.create('manage', subscription.id);
    const manage = this.pages.linkTo(page, 'subscription', token, link);
    return ok(renderConfirmed(page.part, page.view, subscription.email, manage));
  }

  /** Shows the form that changes or ends a subscription. */
  async showSubscription(request: Request, response: Response): Promise<void> {
    await this.respond(request, response, 'subscription', async (link) => {
      const opened = await this.open(link, await this.subscriptions.find('manage', link.token));
      return opened && this.manageReply(opened, link, {});
    });
  }

  /**
   * Changes a subscription.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async change(request: Request, response: Response): Promise<void> {
    const form = await readForm(request, ChoicesForm, MAX_FORM_BYTES);
    await this.respond(request, response, 'subscription', async (link) => {
      const opened = await this.open(link, await this.subscriptions.find('manage', link.token));
      if (!opened) return undefined;
      const { errors, choices } = checkChoices(form, opened.page.part.sections, limitOf(opened));
      if (!choices) return this.manageReply(opened, link, { form, errors });
      const subscription = await this.subscriptions.change(link.token, choices);
      return subscription && this.manageReply({ ...opened, subscription }, link, { isSaved: true });
    });
  }

  private manageReply(
    opened: Opened,
    link: Link,
    {
      form,
      errors = {},
      isSaved = false,
    }: { form?: SentForm<ChoicesForm>; errors?: FormErrors; isSaved?: boolean },
  ): PrivateReply {
    const { page, subscription } = opened;
    const limit = limitOf(opened);
    const managed = {
      email: subscription.email,
      offers: { all: (limit?.monitor_ids ?? null) === null, maintenances: limit?.maintenances !== false },
      values: form ? valuesIn(form) : valuesOf(subscription),
      errors,
      isSaved,
      unsubscribe: this.pages.linkTo(page, 'unsubscribe', link.token, link),
    };
    return { status: form ? 400 : 200, document: renderManage(page.part, page.view, managed) };
  }

  /** Shows the button that ends a subscription. */
  async showUnsubscribe(request: Request, response: Response): Promise<void> {
    await this.respond(request, response, 'unsubscribe', async (link) => {
      const found = await this.findEvenOfDeletedPage(link);
      if (!found) return undefined;
      const { page, subscription } = found;
      return ok(
        page
          ? renderUnsubscribe(page.part, page.view, subscription.email)
          : renderUnsubscribeDeleted(wordsOf(requestedLanguage(link.url) ?? 'en'), subscription.email),
      );
    });
  }

  /** Ends a subscription, for the button and for RFC 8058. Ignores the body, and succeeds again if it has already ended. */
  async unsubscribe(request: Request, response: Response): Promise<void> {
    await this.respond(request, response, 'unsubscribe', async (link) => {
      const found = await this.findEvenOfDeletedPage(link);
      if (!found && (await this.ownerOf(link))) return undefined; // of another page
      if (!(await this.subscriptions.unsubscribe(link.token))) return undefined;
      const page = found?.page ?? (await this.publicPage(link));
      if (!page) return ok(renderUnsubscribedDeleted(wordsOf(requestedLanguage(link.url) ?? 'en')));
      const { unsubscribed, unsubscribed_text } = page.view.words.subscription;
      return ok(renderSubscriptionMessage(page.part, page.view, unsubscribed, unsubscribed_text, 'done'));
    });
  }

  /** Responds with the page of a link, or that the link is no longer valid. */
  private async respond(
    request: Request,
    response: Response,
    kind: LinkKind,
    reply: (link: Link) => Promise<Reply>,
  ): Promise<void> {
    await this.visitors.respondPrivately(request, response, async (slug) => {
      const token = String(request.params['token']);
      const place = await this.places.stranger(request, slug);
      const link = { slug, token, place, page_id: this.cache.directory.get(slug)?.id, ...visitOf(request) };
      const subscriber = this.tokens.verify(kind === 'confirm' ? 'confirm' : 'manage', token);
      if (subscriber === undefined) return this.invalidReply(link);
      const own: Place = { owner: place.owner, lane: subscriber };
      return (await this.pages.run(own, () => reply(link))) ?? this.invalidReply(link);
    });
  }

  /**
   * Returns the explanation of an invalid link, in the design of a public page. Other pages get the 404 page of all unknown paths. All
   * visitors with an invalid link share a reading of the page.
   */
  private async invalidReply(link: Link): Promise<Reply> {
    const { place, page_id } = link;
    const page = page_id === undefined ? undefined : await this.pages.readForAll(place, page_id, link);
    if (!page?.part.page.is_public) return undefined;
    const { invalid, invalid_text } = page.view.words.subscription;
    return { status: 404, document: renderSubscriptionMessage(page.part, page.view, invalid, invalid_text) };
  }

  private async publicPage(link: Link): Promise<VisitorPage | undefined> {
    const { page_id } = link;
    const page = page_id === undefined ? undefined : await this.pages.read(page_id, link);
    return page?.part.page.is_public ? page : undefined;
  }

  /** Returns the subscription with its page, unless the link names another page. */
  private async open(link: Link, subscription: Subscription | undefined): Promise<Opened | undefined> {
    const page = subscription && (await this.pages.read(subscription.status_page_id, link));
    if (!page || !(await this.isOwnSlug(page, link.slug))) return undefined;
    const { part } = page;
    // Without the monitors of a private page that its mail does not name.
    return {
      subscription,
      page: part.page.is_public ? page : { ...page, part: onlyNamed(part, subscription) },
    };
  }

  /** Returns whether the slug is the current one of the page, or its former one, which no other page uses. */
  private async isOwnSlug({ part }: VisitorPage, slug: string): Promise<boolean> {
    return part.page.slug === slug || !(await this.pageLookup.isUsed(slug));
  }

  /** Returns the subscription of a link that ends it, also if its page is deleted. */
  private async findEvenOfDeletedPage(
    link: Link,
  ): Promise<{ subscription: Subscription; page: VisitorPage | undefined } | undefined> {
    const subscription = await this.ownerOf(link);
    const page = subscription && (await this.pages.read(subscription.status_page_id, link));
    if (!subscription || (page && !(await this.isOwnSlug(page, link.slug)))) return undefined;
    return { subscription, page };
  }

  private async ownerOf({ token }: Link): Promise<Subscription | undefined> {
    const id = this.tokens.verify('manage', token);
    return id === undefined ? undefined : (await this.recipients.find([id]))[0];
  }
}

function ok(document: PageDocument): PrivateReply {
  return { status: 200, document };
}

/** Returns the choices that a link cannot extend: those for a private page, which its owner may not be able to see any more. */
function limitOf({ page, subscription }: Opened): Subscription | undefined {
  return page.part.page.is_public ? undefined : subscription;
}
