import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { Env } from '../../platform/config/env.js';
import { Problem } from '../../platform/problems/problem.js';
import type { Place } from '../../platform/server/fair-queue.js';
import type { Subject } from '../../platform/server/request-counts.js';
import { VisitorTurns } from '../cache/visitor-turns.js';
import { VisitorLimits } from './visitor-limits.js';
import { placeOf } from './visitor-places.js';

const MAX_KNOWN = 10_000;

/** A page that a token shows, and its organization. */
interface ShownPage {
  id: string;
  organization_id: string;
}

/**
 * Looks up the tokens in URLs of visitors: of access links and previews. Tokens that were valid at their latest lookup go first. The
 * others come last, and a client network that sends too many invented ones is rejected without a statement.
 */
@Injectable()
export class VisitorTokens {
  /** Pages of the tokens that were valid at their latest lookup in this process, for the 10,000 most recently used tokens. */
  private readonly known = new LRUCache<string, Place>({ max: MAX_KNOWN });

  constructor(
    private readonly env: Env,
    private readonly turns: VisitorTurns,
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Returns the page that a token shows, or undefined if it shows none.
   * @param token has the format of a token
   * @param stranger the turn of visitors with an unknown token
   * @param find reads the page
   * @throws Problem 429 `rate_limited` above `AUTH_RATE_LIMIT` unknown tokens a minute from a client network; 503 `unavailable`
   */
  async find<Page extends ShownPage>(
    request: Request,
    token: string,
    stranger: Place,
    find: () => Promise<Page | undefined>,
  ): Promise<Page | undefined> {
    const known = this.known.get(token);
    if (!known) await this.rejectIfExhausted(request);
    const page = await this.turns.run(known ?? stranger, find);
    if (page) this.known.set(token, placeOf(page));
    else {
      this.known.delete(token);
      await this.countUnknown(request);
    }
    return page;
  }

  /**
   * Rejects a client network that has sent too many unknown tokens, before a lookup of another one.
   * @throws Problem 429 `rate_limited`
   */
  async rejectIfExhausted(request: Request): Promise<void> {
    const seconds = await this.limits.exhausted(this.limitOf(request));
    if (seconds === undefined) return;
    throw new Problem('rate_limited', {
      detail: `This address has sent ${this.env.AUTH_RATE_LIMIT} unknown tokens within a minute. Retry in ${seconds} seconds.`,
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** Counts an unknown token of a client network. */
  async countUnknown(request: Request): Promise<void> {
    await this.limits.add(this.limitOf(request));
  }

  private limitOf(request: Request): Subject[] {
    const limit = this.env.AUTH_RATE_LIMIT;
    return limit === 0 ? [] : [{ name: `visitor-tokens:${this.limits.networkOf(request)}`, limit }];
  }
}
