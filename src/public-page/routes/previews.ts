import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { PreviewLinksService } from '../../preview-links/preview-links.service.js';
import { unavailable } from '../../platform/problems/problem.js';
import { BoundedQueue } from '../../platform/server/bounded-queue.js';
import type { EncodedDocument } from '../documents/page-document.js';
import type { Address } from '../cache/copy.js';
import { Sites } from '../cache/sites.js';
import { PageRenderer } from '../rendering/page-renderer.service.js';

/** Previews use one of this many pool connections. */
const POOL_SHARE = 5;
const LIMITS = { waiting: 100, waitMs: 2_000 };

/** Renders pages for visitors with a preview link. Previews are stored neither in memory nor on disk. */
@Injectable()
export class Previews {
  private readonly queue: BoundedQueue;

  constructor(
    env: Env,
    private readonly previewLinks: PreviewLinksService,
    private readonly pages: PageRenderer,
    private readonly sites: Sites,
  ) {
    const running = Math.max(1, Math.floor(env.DATABASE_POOL_SIZE / POOL_SHARE));
    this.queue = new BoundedQueue({ ...LIMITS, running }, unavailable);
  }

  /**
   * Renders a part whose links also contain the token.
   * @param token the parameter `preview` of the query, unvalidated
   * @returns undefined if the token does not show this page, or the part does not exist; the visitor then gets the same
   * response as visitors without a token
   * @throws Problem 503 `unavailable` while too many previews are being rendered
   */
  async render(token: unknown, { slug, part, host }: Address): Promise<EncodedDocument | undefined> {
    if (typeof token !== 'string' || !this.previewLinks.isWellFormed(token)) return undefined;
    return this.queue.run(async () => {
      const id = await this.previewLinks.pageOf(token, slug);
      if (id === undefined || !this.sites.serves(id, host)) return undefined;
      const served = { ...this.sites.of(id, host), preview: token };
      return this.pages.serve(id, part, served, { visibility: 'any' });
    });
  }
}
