import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Subject } from '../../platform/server/request-counts.js';
import { Text } from '../../platform/validation/fields.js';
import { readForm, type SentForm } from '../../platform/validation/form.js';
import { type EntryMessage, renderEntryMessage } from '../../page-documents/components/entry-pages.js';
import {
  type GateError,
  type GateShell,
  type GateWay,
  renderGate,
} from '../../page-documents/components/gate-page.js';
import { wantedPart } from '../../page-model/wanted-part.js';
import type { EntryWords } from '../../page-model/languages/en/entry.js';
import { entryWordsOf } from '../../page-model/words.js';
import { FORBIDDEN, Gate } from '../routes/gate.js';
import { PageResponder } from '../routes/page-responder.js';
import { type PrivateReply, tooMany } from '../routes/private-reply.js';
import { UncachedPages } from '../routes/uncached-pages.js';
import { VisitorLimits } from '../routes/visitor-limits.js';
import { placeOf } from '../routes/visitor-places.js';
import type { GatedPage } from '../../access/access-rules.service.js';
import { PageSessions } from '../../access/page-sessions.js';
import { linkToTarget, targetOf } from './target.js';

/** Maximum size of a form. */
const MAX_FORM_BYTES = 8 * 1024;

/** Body of a redirect. */
const EMPTY = { type: 'text/plain; charset=utf-8', body: '' };

/** A form with only a button, and the part that the visitor wants. */
export class ButtonForm {
  @Text({ min: 0, max: MAX_FORM_BYTES, optional: true, description: 'Path below the page, with its query.' })
  to?: string;
}

/** A private page that a visitor wants to enter. */
export interface Entry {
  gated: GatedPage;
  shell: GateShell;
  words: EntryWords;
  /** The part that the visitor wants, as a path below the page. */
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
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Reads a form of the gate.
   * @returns also `to`: the part that the visitor wants. Unvalidated
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async read<Form extends object>(
    request: Request,
    dto: new () => Form,
  ): Promise<SentForm<Form> & { to: string }> {
    const form = await readForm(request, dto, MAX_FORM_BYTES);
    return { ...form, to: form.sent.get('to') ?? '' };
  }

  /**
   * Responds to a visitor. Responds 404, as for an unknown page, unless the page is private and has rules.
   * @param sentTo the part that the visitor wants, as a path below the page. Unvalidated.
   * @param reply returns undefined for the 404 page
   * @param early returns a response that needs no statements, or undefined
   */
  async respond(
    request: Request,
    response: Response,
    sentTo: string,
    reply: (entry: Entry) => Promise<PrivateReply | undefined>,
    early?: (to: string) => Promise<PrivateReply | undefined>,
  ): Promise<void> {
    const to = targetOf(sentTo);
    await this.visitors.respondPrivately(request, response, async (slug) => {
      const known = await early?.(to);
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
    const seconds = await this.limits.addMalformed(request);
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
    const seconds = await this.limits.add(limits);
    return seconds === undefined ? undefined : this.tooMany(request, entry, way, seconds);
  }

  /** Returns the gate without a way in that has reached its limit. */
  tooMany(request: Request, entry: Entry, way: GateWay, seconds: number): PrivateReply {
    const { shell, to } = entry;
    return tooMany(request, renderGate(shell, wantedPart(to), { way, seconds }), seconds);
  }
}

/** Returns the gate with an error. */
export function gateWith({ shell, to }: Entry, error: GateError): PrivateReply {
  return { status: FORBIDDEN, document: renderGate(shell, wantedPart(to), error) };
}

/** Returns a response with a text. */
export function message({ shell }: Entry, status: number, text: EntryMessage): PrivateReply {
  return { status, document: renderEntryMessage(shell, text) };
}
