import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Passwords } from '../../platform/auth/passwords.js';
import type { Subject } from '../../platform/server/request-counts.js';
import { Text } from '../../platform/validation/fields.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import { type PrivateReply, tooMany } from '../routes/private-reply.js';
import { VisitorLimits } from '../routes/visitor-limits.js';
import type { GatedPage } from '../../access/access-rules.service.js';
import { EntryForms, gateWith } from '../entry/entry-forms.js';

/** The form with the password. */
class PasswordForm {
  /** No password is longer than 200 characters, but each can be two if it is not composed. */
  @Text({ min: 1, max: 400, description: 'Password of the page.' })
  password!: string;
}

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
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Handles the form with the password. A right password starts a session, and leads to the wanted part.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async enter(request: Request, response: Response): Promise<void> {
    const { domain, params, originalUrl } = request;
    const keyOf = (to: string) =>
      [domain?.domain, params['slug'], requestedLanguage(originalUrl), to].join(' ');
    const { value, errors, to: sentTo } = await this.entries.read(request, PasswordForm);
    await this.entries.respond(
      request,
      response,
      sentTo,
      async (entry) => {
        if (!value) {
          const error = errors['password']?.code === 'required' ? 'password_empty' : 'password_wrong';
          return this.entries.malformed(request, entry, 'password', error);
        }
        const result = await this.attempt(request, entry.gated, value.password);
        if (result === 'right') return this.entries.enter(request, response, entry);
        if (result === 'wrong') return gateWith(entry, 'password_wrong');
        const reply = this.entries.tooMany(request, entry, 'password', result);
        this.refusals.set(keyOf(entry.to), { id: entry.gated.id, reply });
        return reply;
      },
      (to) => this.refusalOf(request, keyOf(to)),
    );
  }

  /**
   * Returns the stored response to a flood, which needs no statements. Without it, two of three responses are 503, because the
   * statements of the gate are in a queue (measured with `test/access/flood.mjs`).
   */
  private async refusalOf(request: Request, key: string): Promise<PrivateReply | undefined> {
    const known = this.refusals.get(key);
    const seconds = known && (await this.limits.exhausted(this.subjectsOf(request, known.id)));
    return known && seconds !== undefined ? tooMany(request, known.reply.document, seconds) : undefined;
  }

  /** Returns whether the password is right, or the seconds after which the visitor or the page is below the limit. */
  private async attempt(
    request: Request,
    { id, organization_id: owner, rules }: GatedPage,
    password: string,
  ): Promise<'right' | 'wrong' | number> {
    const place = { owner, lane: id };
    const subjects = this.subjectsOf(request, id);
    return (
      (await this.limits.exhausted(subjects)) ??
      this.passwords.inTurn(place, async () => {
        const seconds = await this.limits.exhausted(subjects); // by attempts that have waited as well
        if (seconds !== undefined) return seconds;
        if (await this.passwords.verify(rules.password_hash, password)) return 'right';
        for (const subject of subjects) await this.limits.add([subject]);
        return 'wrong';
      })
    );
  }

  private subjectsOf(request: Request, pageId: string): Subject[] {
    return [networkLimit(this.limits.networkOf(request)), pageLimit(pageId)];
  }
}
