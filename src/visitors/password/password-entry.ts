import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type Count, RequestCounts, type Subject } from '../../platform/server/request-counts.js';
import { readForm } from '../../platform/validation/form.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import type { PrivateReply } from '../routes/private-reply.js';
import type { GatedPage } from '../../access/access-rules.service.js';
import { MAX_FORM_BYTES, EntryForms, gateWith } from '../entry/entry-forms.js';
import { targetOf } from '../entry/target.js';
import { Passwords } from '../../access/passwords.js';

/** Maximum number of characters that are hashed. No password is longer than 200. */
const MAX_LENGTH = 400;

/** Wrong passwords of a client network, for all pages together. */
export const MAX_OF_NETWORK = 20;
const NETWORK_SECONDS = 900;

/** Wrong passwords for a page, of all clients together. Short, because it also stops visitors who know the password. */
export const MAX_OF_PAGE = 100;
const PAGE_SECONDS = 300;

/** Returns the limit of a client network's wrong passwords. */
export const networkLimit = (network: string): Subject => ({
  name: `password:${network}`,
  limit: MAX_OF_NETWORK,
  seconds: NETWORK_SECONDS,
});

/** Returns the limit of a page's wrong passwords. */
export const pageLimit = (id: string): Subject => ({
  name: `password:${id}`,
  limit: MAX_OF_PAGE,
  seconds: PAGE_SECONDS,
});

/** Stored responses to floods. They contain the name and the colors of the page, which can change. */
const REFUSALS = { max: 500, ttl: 10_000 };

/** Lets in visitors who know the password of a private page. */
@Injectable()
export class PasswordEntry {
  private readonly refusals = new LRUCache<string, { id: string; reply: PrivateReply }>(REFUSALS);

  constructor(
    private readonly entries: EntryForms,
    private readonly passwords: Passwords,
    private readonly counts: RequestCounts,
  ) {}

  /**
   * Handles the form with the password. A right password starts a session, and leads to the wanted part.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async enter(request: Request, response: Response): Promise<void> {
    const fields = await readForm(request, MAX_FORM_BYTES);
    const password = fields.get('password') ?? '';
    const to = fields.get('to') ?? '';
    const { domain, params, originalUrl } = request;
    const key = [domain?.domain, params['slug'], requestedLanguage(originalUrl), targetOf(to)].join(' ');
    await this.entries.respond(
      request,
      response,
      'access/password',
      to,
      async (entry) => {
        if (password === '') return this.entries.malformed(request, entry, 'password', 'password_empty');
        const result = await this.attempt(request, entry.gated, password.slice(0, MAX_LENGTH));
        if (result === 'right') return this.entries.enter(request, response, entry);
        if (result === 'wrong') return gateWith(entry, 'password_wrong');
        const reply = this.entries.tooMany(request, entry, 'password', result.secondsLeft);
        this.refusals.set(key, { id: entry.gated.id, reply });
        return reply;
      },
      () => this.refusalOf(request, key),
    );
  }

  /**
   * Returns the stored response to a flood, which needs no statements. Without it, two of three responses are 503, because the
   * statements of the gate are in a queue (measured with `test/access/flood.mjs`).
   */
  private async refusalOf(request: Request, key: string): Promise<PrivateReply | undefined> {
    const known = this.refusals.get(key);
    const exhausted = known && (await this.exhaustedOf(this.subjectsOf(request, known.id)));
    if (!exhausted) return undefined;
    request.error_code = 'rate_limited';
    return { ...known.reply, headers: { 'Retry-After': String(exhausted.secondsLeft) } };
  }

  /** Returns whether the password is right, or the limit that the visitor or the page has reached. */
  private async attempt(
    request: Request,
    { id, organization_id: owner, rules }: GatedPage,
    password: string,
  ): Promise<'right' | 'wrong' | Count> {
    const place = { owner, lane: id };
    const subjects = this.subjectsOf(request, id);
    return (
      (await this.exhaustedOf(subjects)) ??
      this.passwords.inTurn(place, async () => {
        const exhausted = await this.exhaustedOf(subjects); // by attempts that have waited as well
        if (exhausted) return exhausted;
        if (await this.passwords.verify(rules.password_hash, password)) return 'right';
        for (const subject of subjects) await this.counts.add(subject);
        return 'wrong';
      })
    );
  }

  private subjectsOf(request: Request, pageId: string): Subject[] {
    return [networkLimit(this.entries.networkOf(request)), pageLimit(pageId)];
  }

  /** Returns the reached limit that lasts longest. */
  private async exhaustedOf(subjects: Subject[]): Promise<Count | undefined> {
    const counts = await Promise.all(subjects.map((subject) => this.counts.getExhausted(subject)));
    return counts
      .filter((count) => count !== undefined)
      .toSorted((a, b) => b.secondsLeft - a.secondsLeft)
      .at(0);
  }
}
