import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PreviewLinksService } from '../../status-pages/preview-links/preview-links.service.js';
import type { Address } from '../cache/copy.js';
import { Sites } from '../cache/sites.js';
import { VisitorTurns } from '../cache/visitor-turns.js';
import type { EncodedDocument } from '../../page-model/page-document.js';
import { PageRenderer } from '../../page-documents/rendering/page-renderer.service.js';
import { placeOf, VisitorPlaces } from './visitor-places.js';
import { VisitorTokens } from './visitor-tokens.js';

/** Renders pages for visitors with a preview link. Previews are stored neither in memory nor on disk. */
@Injectable()
export class Previews {
  constructor(
    private readonly previewLinks: PreviewLinksService,
    private readonly tokens: VisitorTokens,
    private readonly places: VisitorPlaces,
    private readonly turns: VisitorTurns,
    private readonly pages: PageRenderer,
    private readonly sites: Sites,
  ) {}

  /**
   * Renders a part whose links also contain the token, the parameter `preview` of the query.
   * @returns undefined if the token does not show this page, or the part does not exist; the visitor then gets the same
   * response as visitors without a token
   * @throws Problem 429 `rate_limited`, 503 `unavailable`, as {@link VisitorTokens.find}
   */
  async render(request: Request, { slug, part, host }: Address): Promise<EncodedDocument | undefined> {
    const { preview: token } = request.query;
    if (typeof token !== 'string' || !this.previewLinks.isWellFormed(token)) return undefined;
    // Without a lookup, because this process would then follow the changes of a page that has no other visitors.
    const stranger = this.places.strangerInMemory(request, slug);
    const page = await this.tokens.find(request, token, stranger, () =>
      this.previewLinks.pageOf(token, slug),
    );
    if (!page || !this.sites.serves(page.id, host)) return undefined;
    const served = { ...this.sites.of(page.id, host), preview: token };
    return this.turns.run(placeOf(page), () =>
      this.pages.serve(page.id, part, served, { visibility: 'any' }),
    );
  }
}
