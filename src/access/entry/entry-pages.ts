import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import { RequestCounts, type Subject } from '../../platform/server/request-counts.js';
import { isSlug } from '../../platform/validation/slug.js';
import { type EntryMessage, renderEntryMessage } from '../../public-page/components/entry-pages.js';
import type { GateError, GateShell } from '../../public-page/components/gate-page.js';
import { wantedPart } from '../../public-page/documents/wanted-part.js';
import type { EntryWords } from '../../public-page/languages/entry/en.js';
import { entryWordsOf } from '../../public-page/languages/entry/entry-words.js';
import { Gate } from '../../public-page/routes/gate.js';
import { type PrivateReply, PublicPageService } from '../../public-page/routes/public-page.service.js';
import { SubscriberPages } from '../../public-page/routes/subscriber-pages.js';
import type { GatedPage } from '../access-rules.service.js';
import { PageSessions } from '../page-sessions.js';
import { linkToTarget } from './target.js';

/** Format of a form's body. */
export const ENTRY_FORM = { types: ['application/x-www-form-urlencoded'], maxBytes: 8 * 1024 };

/** Body of a redirect. */
const EMPTY = { type: 'text/plain; charset=utf-8', body: '' };

/** A private page that a visitor wants to enter. */
export interface Entry {
  gated: GatedPage;
  shell: GateShell;
  words: EntryWords;
}

/** Reads private pages for visitors who enter them, and responds to these visitors. */
@Injectable()
export class EntryPages {
  constructor(
    private readonly visitors: PublicPageService,
    private readonly gate: Gate,
    private readonly pages: SubscriberPages,
    private readonly sessions: PageSessions,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /**
   * Responds to a visitor. Responds 404, as for an unknown page, unless the page is private and has rules.
   * @param path the path of the request below the page, such as `access/email`
   * @param reply returns undefined for the 404 page
   */
  async respond(
    request: Request,
    response: Response,
    path: string,
    reply: (entry: Entry) => Promise<PrivateReply | undefined>,
  ): Promise<void> {
    const { slug } = request.params;
    if (!isSlug(slug) || request.originalUrl.split('?', 1)[0] !== `/status/${slug}/${path}`)
      return this.visitors.respondNotFound(response);
    await this.visitors.respondPrivately(request, response, async () => {
      const gated = await this.gate.find(slug);
      const shell = gated && (await this.gate.shellOf(request, gated, { kind: 'overview' }));
      return shell && reply({ gated, shell, words: entryWordsOf(shell.view.words.language) });
    });
  }

  /** Runs statements, at most a few at a time. @throws Problem 503 `unavailable` */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.pages.run(task);
  }

  /** Returns the gate with an error. */
  async gateWith(
    request: Request,
    { gated }: Entry,
    to: string,
    error: GateError,
  ): Promise<PrivateReply | undefined> {
    return this.gate.reply(request, gated, wantedPart(to), error);
  }

  /** Starts a session, and returns the redirect to the part that the visitor wanted. */
  enter(request: Request, response: Response, { gated, shell }: Entry, to: string): PrivateReply {
    this.sessions.start(request, response, gated.rules);
    return { status: 303, document: EMPTY, headers: { Location: linkToTarget(shell.view, to) } };
  }

  /** Counts what a visitor causes. Returns the response if it exceeds a limit. */
  async limit(request: Request, entry: Entry, limits: Subject[]): Promise<PrivateReply | undefined> {
    for (const one of limits) {
      const { used, secondsLeft } = await this.counts.add(one);
      if (used <= one.limit) continue;
      request.error_code = 'rate_limited';
      const { too_many, too_many_text } = entry.words;
      const reply = message(entry, 429, { title: too_many, text: too_many_text });
      return { ...reply, headers: { 'Retry-After': String(secondsLeft) } };
    }
    return undefined;
  }

  /** Returns the client network of a visitor, for limits. */
  networkOf(request: Request): string {
    return clientNetworkOf(this.clientAddress.of(request));
  }
}

/** Returns a response with a text. */
export function message({ shell }: Entry, status: number, text: EntryMessage): PrivateReply {
  return { status, document: renderEntryMessage(shell, text) };
}
