import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MailTransport } from '../../mail/mail-transport.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { Subject } from '../../platform/server/request-counts.js';
import { renderOpen } from '../../page-documents/components/entry-pages.js';
import { AddressForm, emailError } from '../routes/address-form.js';
import type { PrivateReply } from '../routes/private-reply.js';
import { VisitorLimits } from '../routes/visitor-limits.js';
import { VisitorTokens } from '../routes/visitor-tokens.js';
import { emailKey } from '../../subscribers/email-address.js';
import { ButtonForm, type Entry, EntryForms, message } from '../entry/entry-forms.js';
import { EmailLinksService } from './email-links.service.js';
import { takesEmail } from './email-match.js';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;

/** Maximum number of forms with an address of a page in 15 minutes. */
export const MAX_PER_ADDRESS = 5;

/** Maximum number of forms from a client network in an hour. A company can have one address. */
export const MAX_PER_NETWORK = 100;

/** Maximum number of forms of a page in five minutes. Short, because invented addresses use it up as well. */
export const MAX_PER_PAGE = 1_000;
const PAGE_SECONDS = 300;

/** Returns the limit of a client network's forms. */
export const networkLimit = (network: string): Subject => ({
  name: `access-mail:${network}`,
  limit: MAX_PER_NETWORK,
  seconds: HOUR_SECONDS,
});

/** Returns the limit of a page's forms. */
export const pageLimit = (id: string): Subject => ({
  name: `access-mail:${id}`,
  limit: MAX_PER_PAGE,
  seconds: PAGE_SECONDS,
});

/** Handles the form of visitors who want a link by mail, and the link. GET only shows a button, because scanners of mail follow links. */
@Injectable()
export class EmailEntry {
  constructor(
    private readonly entries: EntryForms,
    private readonly links: EmailLinksService,
    private readonly transport: MailTransport,
    private readonly secrets: SecretsService,
    private readonly tokens: VisitorTokens,
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Stores the form. The response is the same for each valid address, and so are the statements.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async request(request: Request, response: Response): Promise<void> {
    const { value, errors, to: sentTo } = await this.entries.read(request, AddressForm);
    await this.entries.respond(request, response, sentTo, async (entry) => {
      const { gated, words, to } = entry;
      if (!takesEmail(gated.rules) || !this.transport.isConfigured) return undefined;
      if (!value)
        return this.entries.malformed(request, entry, 'email', emailError(errors) ?? 'email_invalid');
      const { email } = value;
      const exceeded = await this.entries.limit(
        request,
        entry,
        'email',
        this.limitsOf(request, entry, email),
      );
      if (exceeded) return exceeded;
      const seconds = await this.entries.run(entry, () => this.links.request(gated, email, to));
      if (seconds !== undefined) return this.entries.tooMany(request, entry, 'email', seconds);
      return message(entry, 200, { title: words.sent, text: words.sent_text, icon: 'mail' });
    });
  }

  /** Shows the button that opens the page. */
  async show(request: Request, response: Response): Promise<void> {
    const { to } = request.query;
    await this.respond(request, response, typeof to === 'string' ? to : '', async (entry, token) => {
      const email = await this.entries.run(entry, () => this.links.find(entry.gated.rules, token));
      if (email === undefined) return undefined;
      return { status: 200, document: renderOpen(entry.shell, email, entry.to) };
    });
  }

  /**
   * Uses the link up, and starts a session.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async use(request: Request, response: Response): Promise<void> {
    const { to } = await this.entries.read(request, ButtonForm);
    await this.respond(request, response, to, async (entry, token) => {
      const isUsed = await this.entries.run(entry, () => this.links.use(entry.gated.rules, token));
      return isUsed ? this.entries.enter(request, response, entry) : undefined;
    });
  }

  /**
   * Responds to a request of a link, or that the link is no longer valid.
   * @throws Problem 429 `rate_limited` as {@link VisitorTokens.rejectIfExhausted}
   */
  private async respond(
    request: Request,
    response: Response,
    to: string,
    reply: (entry: Entry, token: string) => Promise<PrivateReply | undefined>,
  ): Promise<void> {
    const replyOrCount = async (entry: Entry): Promise<PrivateReply> => {
      const known = await reply(entry, String(request.params['token']));
      if (known) return known;
      await this.tokens.countUnknown(request);
      const { invalid, invalid_text } = entry.words;
      return message(entry, 404, { title: invalid, text: invalid_text });
    };
    await this.entries.respond(request, response, to, replyOrCount, async () => {
      await this.tokens.rejectIfExhausted(request);
      return undefined;
    });
  }

  /** Counts addresses with and without access, so that the limit does not reveal who has it. Names contain no address. */
  private limitsOf(request: Request, { gated: { id } }: Entry, email: string) {
    const address = this.secrets.sign('access mail', emailKey(email)).toString('base64url');
    const network = this.limits.networkOf(request);
    return [
      networkLimit(network),
      { name: `access-mail:${id}:${address}`, limit: MAX_PER_ADDRESS, seconds: QUARTER_HOUR_SECONDS },
      pageLimit(id),
    ];
  }
}
