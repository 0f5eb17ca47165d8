import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Place } from '../../platform/server/fair-queue.js';
import { DocumentCache } from '../cache/document-cache.js';
import { VisitorLimits } from './visitor-limits.js';

/** Owner of the turns for slugs of no public page, and of no private page with rules. */
const OF_NO_PAGE = 'none';

/** Returns the turn of visitors who may see a page: with a session, a known token or from a network. */
export function placeOf({ id, organization_id }: { id: string; organization_id: string }): Place {
  return { owner: organization_id, lane: id };
}

/** Finds out without the visitor's own statement for which organization and page a visitor waits. */
@Injectable()
export class VisitorPlaces {
  constructor(
    private readonly cache: DocumentCache,
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Returns the turn of visitors without a session or a known token. Where no page has the slug, client networks take turns.
   * @throws Problem 503 `unavailable` if the slug is not in memory, and cannot be looked up
   */
  async stranger(request: Request, slug: string): Promise<Place> {
    await this.cache.directory.find(slug);
    return this.strangerInMemory(request, slug);
  }

  /** Returns the turn as {@link stranger}, without a lookup: if the slug is not in memory, as if no page had it. */
  strangerInMemory(request: Request, slug: string): Place {
    const { directory } = this.cache;
    const page = directory.get(slug) ?? directory.gateOf(slug);
    if (page) return { owner: page.owner, lane: page.id, rank: 'last' };
    return { owner: OF_NO_PAGE, lane: this.limits.networkOf(request), rank: 'last' };
  }
}
