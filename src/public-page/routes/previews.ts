import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { PreviewLinksService } from '../../preview-links/preview-links.service.js';
import { unavailable } from '../../platform/problems/problem.js';
import { BoundedQueue } from '../../platform/server/bounded-queue.js';
import type { EncodedDocument } from '../documents/page-document.js';
import { PageRenderer } from '../rendering/page-renderer.service.js';
import type { Part } from '../documents/parts.js';

/**
 * Headers of a preview. Caches must not store it, and search engines must not index it. Replaces `Cache-Control` of public
 * pages.
 */
export const PREVIEW_HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' };

/** Previews use one of this many pool connections. */
const POOL_SHARE = 5;
const LIMITS = { waiting: 100, waitMs: 2_000 };

/** Renders pages for visitors with a preview link. Previews are stored neither in memory nor on disk. */
@Injectable()
export class Previews {
  private readonly queue: BoundedQueue;

  constructor(
    private readonly env: Env,
    private readonly previewLinks: PreviewLinksService,
    private readonly pages: PageRenderer,
    private readonly publicUrl: PublicUrl,
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
  async render(token: unknown, slug: string, part: Part): Promise<EncodedDocument | undefined> {
    if (typeof token !== 'string' || !this.previewLinks.isWellFormed(token)) return undefined;
    return this.queue.run(async () => {
      const id = await this.previewLinks.pageOf(token, slug);
      if (id === undefined) return undefined;
      const { HOME_PAGE: home_page } = this.env;
      const served = { public_url: this.publicUrl.value, home_page, preview: token };
      return this.pages.serve(id, part, served, { visibility: 'any' });
    });
  }
}
