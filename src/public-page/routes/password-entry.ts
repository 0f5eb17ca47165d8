import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { PageSessions } from '../../access/page-sessions.js';
import { Passwords } from '../../access/passwords.js';
import type { GatedPage } from '../../access/access-rules.service.js';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import { type Count, RequestCounts, type Subject } from '../../platform/server/request-counts.js';
import { readFile } from '../../platform/validation/body.js';
import { isSlug } from '../../platform/validation/slug.js';
import { renderSubscriptionMessage } from '../components/subscription-pages.js';
import type { PageDocument } from '../documents/page-document.js';
import type { Part } from '../documents/parts.js';
import { requestedLanguage } from '../documents/requested-language.js';
import { wantedPart } from '../documents/wanted-part.js';
import { entryWordsOf } from '../languages/entry/entry-words.js';
import { Gate } from './gate.js';
import type { PrivateReply } from './private-reply.js';
import { PublicPageService } from './public-page.service.js';

const FORM_BODY = { types: ['application/x-www-form-urlencoded'], maxBytes: 8 * 1024 };

/** Maximum number of characters that are hashed. No password is longer than 200. */
const MAX_LENGTH = 400;

/** Wrong passwords of a client network, for all pages together. */
export const MAX_OF_NETWORK = 20;
const NETWORK_SECONDS = 900;

/** Wrong passwords for a page, of all clients together. Short, because it also stops visitors who know the password. */
export const MAX_OF_PAGE = 100;
const PAGE_SECONDS = 300;

/** Body of a redirect. */
const EMPTY = { type: 'text/plain; charset=utf-8', body: '' };

/** Responses to floods. They contain the name and the colors of the page, which can change. */
const REFUSALS = { max: 500, ttl: 10_000 };

/** Lets in visitors who know the password of a private page. */
@Injectable()
export class PasswordEntry {
  private readonly refusals = new LRUCache<string, { id: string; document: PageDocument }>(REFUSALS);

  constructor(
    private readonly visitors: PublicPageService,
    private readonly gate: Gate,
    private readonly passwords: Passwords,
    private readonly sessions: PageSessions,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /**
   * Handles the form with the password. A right password starts a session, and leads to the wanted part.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async enter(request: Request, response: Response): Promise<void> {
    const { slug } = request.params;
    if (!isSlug(slug) || request.originalUrl.split('?', 1)[0] !== `/status/${slug}/access/password`)
      return this.visitors.respondNotFound(response);
    const fields = new URLSearchParams(Buffer.from(await readFile(request, FORM_BODY)).toString());
    const password = fields.get('password') ?? '';
    await this.visitors.respondPrivately(request, response, async () => {
      const refused = await this.refuse(request, slug);
      if (refused) return refused;
      const page = await this.gate.find(slug);
      if (!page) return undefined;
      const part = wantedPart(fields.get('to') ?? '');
      if (password === '') return this.gate.reply(request, page, part, 'password_empty');
      const result = await this.attempt(request, page, password.slice(0, MAX_LENGTH));
      if (result === 'right') return this.admit(request, response, page, part);
      if (result === 'wrong') return this.gate.reply(request, page, part, 'password_wrong');
      return this.tooMany(request, page, part, result);
    });
  }

  /** Rejects a form of a flood without a statement. */
  private async refuse(request: Request, slug: string): Promise<PrivateReply | undefined> {
    const known = this.refusals.get(keyOf(request, slug));
    const exhausted = known && (await this.exhaustedOf(this.subjectsOf(request, known.id)));
    return exhausted && replyOf(request, known.document, exhausted);
  }

  /** Returns whether the password is right, or the limit that the visitor or the page has reached. */
  private async attempt(
    request: Request,
    { id, rules }: GatedPage,
    password: string,
  ): Promise<'right' | 'wrong' | Count> {
    const subjects = this.subjectsOf(request, id);
    return (
      (await this.exhaustedOf(subjects)) ??
      this.passwords.inTurn(async () => {
        const exhausted = await this.exhaustedOf(subjects); // by attempts that have waited as well
        if (exhausted) return exhausted;
        if (await this.passwords.verify(rules.password_hash, password)) return 'right';
        for (const subject of subjects) await this.counts.add(subject);
        return 'wrong';
      })
    );
  }

  private subjectsOf(request: Request, pageId: string): Subject[] {
    const network = clientNetworkOf(this.clientAddress.of(request));
    return [
      { name: `password:${network}`, limit: MAX_OF_NETWORK, seconds: NETWORK_SECONDS },
      { name: `password:${pageId}`, limit: MAX_OF_PAGE, seconds: PAGE_SECONDS },
    ];
  }

  private async exhaustedOf(subjects: Subject[]): Promise<Count | undefined> {
    const counts = await Promise.all(subjects.map((subject) => this.counts.getExhausted(subject)));
    return counts.find((count) => count !== undefined);
  }

  /** Starts a session, and leads to the wanted part. */
  private async admit(
    request: Request,
    response: Response,
    page: GatedPage,
    part: Part,
  ): Promise<PrivateReply | undefined> {
    const shell = await this.gate.shellOf(request, page, part);
    if (!shell) return undefined;
    this.sessions.start(request, response, page.rules);
    return { status: 303, document: EMPTY, headers: { Location: shell.view.links.to(part) } };
  }

  private async tooMany(
    request: Request,
    page: GatedPage,
    part: Part,
    exhausted: Count,
  ): Promise<PrivateReply | undefined> {
    const shell = await this.gate.shellOf(request, page, part);
    if (!shell) return undefined;
    const { too_many, too_many_text } = entryWordsOf(shell.view.words.language);
    const shown = { page: shell.page, sections: [] };
    const document = renderSubscriptionMessage(shown, shell.view, too_many, too_many_text);
    this.refusals.set(keyOf(request, page.slug), { id: page.id, document });
    return replyOf(request, document, exhausted);
  }
}

function keyOf({ domain, originalUrl }: Request, slug: string): string {
  return [domain?.domain, slug, requestedLanguage(originalUrl)].join(' ');
}

function replyOf(request: Request, document: PageDocument, { secondsLeft }: Count): PrivateReply {
  request.error_code = 'rate_limited';
  return { status: 429, document, headers: { 'Retry-After': String(secondsLeft) } };
}
