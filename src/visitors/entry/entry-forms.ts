import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import { RequestCounts, type Subject } from '../../platform/server/request-counts.js';
import { isSlug } from '../../platform/validation/slug.js';
import { type EntryMessage, renderEntryMessage } from '../../page-documents/components/entry-pages.js';
import type { GateError, GateShell, GateWay } from '../../page-documents/components/gate-page.js';
import { wantedPart } from '../../page-model/wanted-part.js';
import type { EntryWords } from '../../page-model/languages/en/entry.js';
import { entryWordsOf } from '../../page-model/words.js';
import { Gate, gateReply } from '../routes/gate.js';
import { type PrivateReply, PageResponder } from '../routes/page-responder.js';
import { MalformedForms } from '../routes/malformed-forms.js';
import { UncachedPages } from '../routes/uncached-pages.js';
import { placeOf } from '../routes/visitor-places.js';
import type { GatedPage } from '../../access/access-rules.service.js';
import { PageSessions } from '../../access/page-sessions.js';
import { linkToTarget } from './target.js';

/** Maximum size of a form. */
export const MAX_FORM_BYTES = 8 * 1024;

/** Body of a redirect. */
const EMPTY = { type: 'text/plain; charset=utf-8', body: '' };

/** A private page that a visitor wants to enter. */
export interface Entry {
  gated: GatedPage;
  shell: GateShell;
  words: EntryWords;
  /** The part that the visitor wants, as a path below the page. Unvalidated. */
  to: string;
}

/** Reads private pages for visitors who enter them, and responds to these visitors. */
@Injectable()
export class EntryForms {
  constructor(
    private readonly visitors: PageResponder,
    private readonly gate: Gate,
    private readonly pages: UncachedPages,
    private readonly sessions: PageSessions,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
    private readonly malformedForms: MalformedForms,
  ) {}

  /**
   * Responds to a visitor. Responds 404, as for an unknown page, unless the page is private and has rules.
   * @param path the path of the request below the page, such as `access/email`
   * @param reply returns undefined for the 404 page
   * @param early returns a response that needs no statements, or undefined
   */
  async respond(
    request: Request,
    response: Response,
    path: string,
    to: string,
    reply: (entry: Entry) => Promise<PrivateReply | undefined>,
    early?: () => Promise<PrivateReply | undefined>,
  ): Promise<void> {
    const { slug } = request.params;
    if (!isSlug(slug) || request.originalUrl.split('?', 1)[0] !== `/status/${slug}/${path}`)
      return this.visitors.respondNotFound(response);
    await this.visitors.respondPrivately(request, response, async () => {
      const known = await early?.();
      if (known) return known;
      const gated = await this.gate.find(request, slug);
      const shell = gated && (await this.gate.shellOf(request, gated));
      return shell && reply({ gated, shell, words: entryWordsOf(shell.view.words.language), to });
    });
  }

  /** Runs statements for a visitor in the turn of strangers. @throws Problem 503 `unavailable` */
  async run<Result>({ gated }: Entry, task: () => Promise<Result>): Promise<Result> {
    return this.pages.run({ ...placeOf(gated), rank: 'last' }, task);
  }

  /** Counts a form with an error, and returns the gate: with the error, or without the way in if there are too many. */
  async malformed(request: Request, entry: Entry, way: GateWay, error: GateError): Promise<PrivateReply> {
    const seconds = await this.malformedForms.count(request);
    return seconds === undefined ? gateWith(entry, error) : this.tooMany(request, entry, way, seconds);
  }

  /** Starts a session, and returns the redirect to the part that the visitor wanted, in the language in which they wanted it. */
  enter(request: Request, response: Response, { gated, shell, to }: Entry): PrivateReply {
    this.sessions.start(request, response, gated.rules);
    return { status: 303, document: EMPTY, headers: { Location: linkToTarget(shell, to) } };
  }

  /** Counts what a visitor causes. Returns the response if it exceeds a limit. */
  async limit(
    request: Request,
    entry: Entry,
    way: GateWay,
    limits: Subject[],
  ): Promise<PrivateReply | undefined> {
    for (const one of limits) {
      const { used, secondsLeft } = await this.counts.add(one);
      if (used > one.limit) return this.tooMany(request, entry, way, secondsLeft);
    }
    return undefined;
  }

  /** Returns the gate without a way in that has reached its limit. */
  tooMany(request: Request, entry: Entry, way: GateWay, seconds: number): PrivateReply {
    request.error_code = 'rate_limited';
    return gateWith(entry, { way, seconds });
  }

  /** Returns the client network of a visitor, for limits. */
  networkOf(request: Request): string {
    return clientNetworkOf(this.clientAddress.of(request));
  }
}

/** Returns the gate with an error. */
export function gateWith({ shell, to }: Entry, error: GateError): PrivateReply {
  return gateReply(shell, wantedPart(to), error);
}

/** Returns a response with a text. */
export function message({ shell }: Entry, status: number, text: EntryMessage): PrivateReply {
  return { status, document: renderEntryMessage(shell, text) };
}
