import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccessRulesService } from '../access/access-rules.service.js';
import { PageUrls } from '../domains/page-urls.js';
import type { ClaimedDelivery } from '../deliveries/channel.js';
import { EVENTS, isMailed } from '../events/event-types.js';
import { EventsService } from '../events/events.service.js';
import { PageReader } from '../page-model/page-reader.service.js';
import type { Recipient } from '../subscribers/recipients.service.js';
import { SubscriptionTokens } from '../subscribers/subscription-tokens.js';
import { eventMail } from './components/event-mail.js';
import { confirmationMail, subscribedMail } from './components/subscription-mail.js';
import { PART_OF } from '../page-model/event-parts.js';
import { type MailContent, type MailPage, toMailPage } from '../page-model/mail-content.js';
import { type Part, pathOf } from '../page-model/parts.js';
import type { MailMessage } from './mail-message.js';
import { type MailSubject, MailSubjects } from './mail-subjects.js';

/** Time for which the content of an event is kept. Mail that is sent later contains the newer values. */
const CONTENT_MS = 5_000;

const MAX_CONTENTS = 100;

/** An older event is no news any more, and causes no mail. */
const MAX_AGE_MS = 86_400_000;

/** Stands for the token of the recipient in the text that all recipients share. Random, so that no other text contains it. */
const TOKEN = `st_${randomBytes(40).toString('base64url')}`;

interface Content {
  page: MailPage;
  /** Whether visitors can see the page: it is public, or rules let in some of them. */
  is_visible: boolean;
  /** Whether visitors can subscribe. */
  takes_subscriptions: boolean;
  /** null: there is nothing to say any more. */
  about: (MailSubject & { resource_id: string; part: Part }) | null;
  /** Mail about the event with {@link TOKEN} as the token; undefined until the first recipient. */
  mail?: MailContent;
}

/** Writes the message of a delivery to a subscriber. */
@Injectable()
export class MailWriter {
  private readonly contents = new LRUCache<string, { content: Promise<Content | undefined> }>({
    max: MAX_CONTENTS,
    ttl: CONTENT_MS,
  });

  constructor(
    private readonly events: EventsService,
    private readonly pages: PageReader,
    private readonly tokens: SubscriptionTokens,
    private readonly pageUrls: PageUrls,
    private readonly accessRules: AccessRulesService,
    private readonly subjects: MailSubjects,
  ) {}

  /** Returns the message, or undefined if there is nothing to send any more. */
  async messageTo(recipient: Recipient, delivery: ClaimedDelivery): Promise<MailMessage | undefined> {
    const content = await this.contentOf(recipient, delivery.event_id);
    if (!content) return undefined;
    const { page, about, takes_subscriptions } = content;
    const base = this.pageUrls.of({ id: recipient.status_page_id, slug: page.slug });
    const token = this.tokens.create('manage', recipient.id);
    if (delivery.event_id === null) {
      const isConfirmation = delivery.kind === 'confirmation';
      // A form of a visitor is the cause, unless the API has created a subscriber that must confirm.
      if (!takes_subscriptions && !(isConfirmation && recipient.source !== 'visitor')) return undefined;
      const mail = isConfirmation
        ? confirmationMail(page, `${base}/confirm/${this.tokens.create('confirm', recipient.id)}`)
        : subscribedMail(page, `${base}/subscription/${token}`);
      return { ...mail, to: recipient.email, page_name: page.name, key: delivery.id };
    }
    if (!about) return undefined;
    const link = content.is_visible ? base + pathOf(about.part) : undefined;
    content.mail ??= eventMail(page, about, { subject: link, manage: `${base}/subscription/${TOKEN}` });
    return {
      subject: content.mail.subject,
      text: content.mail.text.replaceAll(TOKEN, token),
      html: content.mail.html.replaceAll(TOKEN, token),
      to: recipient.email,
      page_name: page.name,
      key: `${delivery.event_id}:${recipient.id}`,
      thread: `${about.resource_id}:${recipient.id}`,
      unsubscribe: `${base}/unsubscribe/${token}`,
    };
  }

  private contentOf(recipient: Recipient, eventId: string | null): Promise<Content | undefined> {
    const key = `${recipient.status_page_id}:${eventId ?? ''}`;
    const cached = this.contents.get(key);
    if (cached) return cached.content;
    const content = this.read(recipient, eventId);
    this.contents.set(key, { content });
    content.catch(() => this.contents.delete(key)); // the next delivery reads it again
    return content;
  }

  private async read(recipient: Recipient, eventId: string | null): Promise<Content | undefined> {
    const event = eventId === null ? undefined : await this.events.find(recipient, eventId);
    if (eventId !== null && !event) return undefined;
    const hasRules = (await this.accessRules.find(recipient.status_page_id)) !== undefined;
    return this.pages.read(recipient.status_page_id, async (snapshot) => {
      const { id, slug } = snapshot.page;
      const page = toMailPage(snapshot.page, this.pageUrls.of({ id, slug }));
      const is_visible = page.is_public || hasRules;
      const takes_subscriptions = is_visible && snapshot.status_page.subscribe_enabled;
      const shown = { page, is_visible, takes_subscriptions };
      const nothing: Content = { ...shown, about: null };
      if (!event || event.created_at.getTime() < snapshot.now.getTime() - MAX_AGE_MS) return nothing;
      const { type, resource_id } = event;
      const subject = isMailed(type) && (await this.subjects.readers[type](event, snapshot));
      if (!subject) return nothing;
      const part = PART_OF[EVENTS[type].about](resource_id);
      return { ...shown, about: { ...subject, resource_id, part } };
    });
  }
}
