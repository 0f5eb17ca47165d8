import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessLinksService } from '../../access/access-links.service.js';
import type { PrivatePage } from '../../status-pages/page-lookup.service.js';
import { Content } from '../cache/content.js';
import type { Address } from '../cache/copy.js';
import { SlugDirectory } from '../cache/slug-directory.js';
import { Sites } from '../cache/sites.js';
import { VisitorTurns } from '../cache/visitor-turns.js';
import { encode } from '../../page-model/page-document.js';
import { PageRenderer } from '../../page-documents/rendering/page-renderer.service.js';
import { Gate } from './gate.js';
import { PRIVATE_HEADERS } from './private-reply.js';
import { placeOf, VisitorPlaces } from './visitor-places.js';
import { VisitorTokens } from './visitor-tokens.js';

/** A response for one visitor. */
export interface PrivateContent {
  status: number;
  content: Content;
}

/**
 * Shows private pages to visitors who may see them: with the token of an access link, a session, or from a network. Each visit reads
 * the rules and renders the part. Nothing is stored in memory or on disk.
 */
@Injectable()
export class PrivatePages {
  constructor(
    private readonly links: AccessLinksService,
    private readonly tokens: VisitorTokens,
    private readonly places: VisitorPlaces,
    private readonly gate: Gate,
    private readonly turns: VisitorTurns,
    private readonly pages: PageRenderer,
    private readonly sites: Sites,
  ) {}

  /**
   * Returns the response to a visit of a page that is not public.
   * @returns undefined for the response to unknown pages: if there is no such private page, it has no rules, or the part does not exist
   * @throws Problem 429 `rate_limited` as {@link VisitorTokens.find}; 503 `unavailable` while too many visitors of the page wait
   */
  async respond(
    request: Request,
    address: Address,
    directory: SlugDirectory,
  ): Promise<PrivateContent | undefined> {
    const { slug, host, part } = address;
    const token = this.tokenOf(request);
    const byToken = token && (await this.pageOf(request, token, slug));
    if (byToken && byToken.slug === slug && this.sites.serves(byToken.id, host))
      return this.render(byToken, address, token);
    if (!directory.gateOf(slug)) return undefined;
    const page = await this.gate.find(request, slug);
    if (!page || !this.sites.serves(page.id, host)) return undefined;
    if (this.gate.admits(request, page.rules)) return this.render(page, address);
    const reply = await this.gate.reply(request, page, part);
    if (!reply) return undefined;
    return {
      status: reply.status,
      content: new Content(encode(reply.document), PRIVATE_HEADERS, false),
    };
  }

  /** Returns the private page with this slug if the visitor may see it, and the token by which they do. For forms of the page. */
  async admitted(request: Request, slug: string): Promise<{ page: PrivatePage; token?: string } | undefined> {
    const token = this.tokenOf(request);
    const byToken = token && (await this.pageOf(request, token, slug));
    if (byToken && byToken.slug === slug) return { page: byToken, token };
    const page = await this.gate.find(request, slug);
    return page && this.gate.admits(request, page.rules) ? { page } : undefined;
  }

  private tokenOf(request: Request): string | undefined {
    const { token } = request.query;
    return typeof token === 'string' && this.links.isWellFormed(token) ? token : undefined;
  }

  private async pageOf(request: Request, token: string, slug: string): Promise<PrivatePage | undefined> {
    const stranger = await this.places.stranger(request, slug);
    return this.tokens.find(request, token, stranger, () => this.links.pageOf(token));
  }

  private async render(
    page: PrivatePage,
    { slug, part, host }: Address,
    token?: string,
  ): Promise<PrivateContent | undefined> {
    const served = { ...this.sites.of(page.id, host), token, is_admitted: true };
    const document = await this.turns.run(placeOf(page), () =>
      this.pages.serve(page.id, part, served, { visibility: 'any' }),
    );
    if (document?.slug !== slug) return undefined;
    return { status: 200, content: new Content(document, PRIVATE_HEADERS, token !== undefined) };
  }
}
