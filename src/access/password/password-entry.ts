import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Count, RequestCounts, type Subject } from '../../platform/server/request-counts.js';
import { readFile } from '../../platform/validation/body.js';
import type { GatedPage } from '../access-rules.service.js';
import { ENTRY_FORM, EntryPages, gateWith } from '../entry/entry-pages.js';
import { Passwords } from '../passwords.js';

/** Maximum number of characters that are hashed. No password is longer than 200. */
const MAX_LENGTH = 400;

/** Wrong passwords of a client network, for all pages together. */
export const MAX_OF_NETWORK = 20;
const NETWORK_SECONDS = 900;

/** Wrong passwords for a page, of all clients together. Short, because it also stops visitors who know the password. */
export const MAX_OF_PAGE = 100;
const PAGE_SECONDS = 300;

/** Lets in visitors who know the password of a private page. */
@Injectable()
export class PasswordEntry {
  constructor(
    private readonly entries: EntryPages,
    private readonly passwords: Passwords,
    private readonly counts: RequestCounts,
  ) {}

  /**
   * Handles the form with the password. A right password starts a session, and leads to the wanted part.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async enter(request: Request, response: Response): Promise<void> {
    const fields = new URLSearchParams(Buffer.from(await readFile(request, ENTRY_FORM)).toString());
    const password = fields.get('password') ?? '';
    await this.entries.respond(
      request,
      response,
      'access/password',
      fields.get('to') ?? '',
      async (entry) => {
        if (password === '') return gateWith(entry, 'password_empty');
        const result = await this.attempt(request, entry.gated, password.slice(0, MAX_LENGTH));
        if (result === 'right') return this.entries.enter(request, response, entry);
        if (result === 'wrong') return gateWith(entry, 'password_wrong');
        return this.entries.tooMany(request, entry, 'password', result.secondsLeft);
      },
    );
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
    return [
      {
        name: `password:${this.entries.networkOf(request)}`,
        limit: MAX_OF_NETWORK,
        seconds: NETWORK_SECONDS,
      },
      { name: `password:${pageId}`, limit: MAX_OF_PAGE, seconds: PAGE_SECONDS },
    ];
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
