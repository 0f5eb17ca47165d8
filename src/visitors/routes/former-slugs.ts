import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DocumentCache } from '../cache/document-cache.js';
import { encodeBytes, sendRedirect } from '../cache/redirects.js';
import { Sites } from '../cache/sites.js';
import { servedLinks } from '../../page-model/links.js';
import type { Part } from '../../page-model/parts.js';

/**
 * Caches and browsers do not keep the redirect. If the page got its former slug again, they would follow it back to the slug that
 * redirects here.
 */
const CACHE_CONTROL = 'no-cache';

/** Redirects visitors with a former slug of a public page. */
@Injectable()
export class FormerSlugs {
  constructor(
    private readonly cache: DocumentCache,
    private readonly sites: Sites,
  ) {}

  /**
   * Responds 308 with the present address of a part, if the latest lookup has found that the slug is a former one. Returns false
   * if it did not respond.
   */
  respond(request: Request, response: Response, slug: string, part: Part): boolean {
    const page = this.cache.directory.findFormer(slug);
    if (!page || request.domain) return false;
    const { originalUrl, method, id } = request;
    const links = servedLinks(this.sites.of(page.id, undefined), page.slug);
    // Forms stay on their host, because browsers do not send them to another one (`form-action`).
    const isElsewhere = method !== 'POST' && this.sites.domainOf(page.id) !== undefined;
    const [address = ''] = (isElsewhere ? links.absolute(part) : links.to(part)).split('?', 1);
    const start = originalUrl.indexOf('?');
    const query = start === -1 ? '' : originalUrl.slice(start);
    sendRedirect(response, address + encodeBytes(query), CACHE_CONTROL, id);
    return true;
  }

  /**
   * Returns the present slug of the page whose verified domain the request names, if `slug` is a former one of it. The domains in
   * memory can have the former one for a second.
   */
  slugOfDomain({ domain }: Request, slug: string): string | undefined {
    const page = domain && this.cache.directory.findFormer(slug);
    return page?.id === domain?.page_id ? page?.slug : undefined;
  }
}
