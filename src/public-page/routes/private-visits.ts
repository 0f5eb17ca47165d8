import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessLinksService } from '../../access/access-links.service.js';
import { AccessRulesService } from '../../access/access-rules.service.js';
import { Env } from '../../platform/config/env.js';
import { unavailable } from '../../platform/problems/problem.js';
import { BoundedQueue } from '../../platform/server/bounded-queue.js';
import { Content } from '../cache/content.js';
import type { Address } from '../cache/copy.js';
import { Outage } from '../cache/outage.js';
import { PageDirectory } from '../cache/page-directory.js';
import { Sites } from '../cache/sites.js';
import { encode } from '../documents/page-document.js';
import { PageRenderer } from '../rendering/page-renderer.service.js';
import { Gate } from './gate.js';
import { PRIVATE_HEADERS } from './private-reply.js';

/** Private pages use one of this many pool connections. */
const POOL_SHARE = 3;
const LIMITS = { waiting: 200, waitMs: 4_000 };

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
export class PrivateVisits {
  private readonly queue: BoundedQueue;

  constructor(
    env: Env,
    private readonly links: AccessLinksService,
    private readonly rules: AccessRulesService,
    private readonly gate: Gate,
    private readonly pages: PageRenderer,
    private readonly sites: Sites,
    private readonly outage: Outage,
  ) {
    const running = Math.max(1, Math.floor(env.DATABASE_POOL_SIZE / POOL_SHARE));
    this.queue = new BoundedQueue({ ...LIMITS, running }, unavailable);
  }

  /**
   * Returns the response to a visit of a page that is not public.
   * @returns undefined for the response to unknown pages: if there is no such private page, it has no rules, or the part does not exist
   * @throws Problem 503 `unavailable` while too many private pages are being rendered
   */
  async respond(
    request: Request,
    address: Address,
    directory: PageDirectory,
  ): Promise<PrivateContent | undefined> {
    const token = this.tokenOf(request);
    const byToken = token && (await this.run(() => this.links.pageOf(token)));
    if (byToken && byToken.slug === address.slug && this.sites.serves(byToken.id, address.host))
      return this.run(() => this.render(byToken.id, address, token));
    if (!directory.isGated(address.slug)) return undefined;
    const page = await this.run(() => this.rules.findBySlug(address.slug));
    if (!page || !this.sites.serves(page.id, address.host)) return undefined;
    if (this.gate.admits(request, page.rules)) return this.run(() => this.render(page.id, address));
    const reply = await this.gate.reply(request, page, address.part);
    if (!reply) return undefined;
    return {
      status: reply.status,
      content: new Content(encode(reply.document), PRIVATE_HEADERS, false),
    };
  }

  /** Returns the private page with this slug if the visitor may see it, and the token by which they do. For forms of the page. */
  async admitted(request: Request, slug: string): Promise<{ id: string; token?: string } | undefined> {
    const token = this.tokenOf(request);
    const byToken = token && (await this.links.pageOf(token));
    if (byToken && byToken.slug === slug) return { id: byToken.id, token };
    const page = await this.rules.findBySlug(slug);
    return page && this.gate.admits(request, page.rules) ? { id: page.id } : undefined;
  }

  private tokenOf(request: Request): string | undefined {
    const { token } = request.query;
    return typeof token === 'string' && this.links.isWellFormed(token) ? token : undefined;
  }

  private async run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.queue.run(() => this.outage.guard(task));
  }

  private async render(
    id: string,
    { slug, part, host }: Address,
    token?: string,
  ): Promise<PrivateContent | undefined> {
    const served = { ...this.sites.of(id, host), token, is_admitted: true };
    const document = await this.pages.serve(id, part, served, { visibility: 'any' });
    if (document?.slug !== slug) return undefined;
    return { status: 200, content: new Content(document, PRIVATE_HEADERS, token !== undefined) };
  }
}
