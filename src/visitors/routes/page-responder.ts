import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Env } from '../../platform/config/env.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { isUnavailable } from '../../platform/problems/problem.filter.js';
import { routeOf } from '../../platform/server/request-end.js';
import { isSlug } from '../../platform/validation/slug.js';
import { notFoundContent, SCRIPT, UNAVAILABLE } from '../cache/contents.js';
import type { Address } from '../cache/copy.js';
import { DocumentCache } from '../cache/document-cache.js';
import { Content } from '../cache/content.js';
import { sendContent } from '../cache/send-content.js';
import { encode } from '../../page-model/page-document.js';
import { hasWords, type Part } from '../../page-model/parts.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import { FormerSlugs } from './former-slugs.js';
import { Previews } from './previews.js';
import { PRIVATE_HEADERS, type PrivateReply } from './private-reply.js';
import { PrivatePages } from './private-pages.js';

export type { PrivateReply } from './private-reply.js';

/** Responds to visitors. */
@Injectable()
export class PageResponder {
  private readonly notFound: Content;
  private readonly notFoundOnDomain = notFoundContent('/');

  constructor(
    private readonly cache: DocumentCache,
    private readonly previews: Previews,
    private readonly former: FormerSlugs,
    private readonly privateVisits: PrivatePages,
    env: Env,
    publicUrl: PublicUrl,
  ) {
    const hasHome = env.HOME_PAGE !== undefined;
    this.notFound = notFoundContent(hasHome ? new URL(`${publicUrl.value}/`).pathname : undefined);
  }

  /**
   * Responds with a part of a page, or with a 404 page, which is the same in all cases.
   * @param found the part of the path, without the requested language
   * @param slug default: the slug in the path
   */
  async respond(
    request: Request,
    response: Response,
    found: Part | undefined,
    slug = slugIn(request),
  ): Promise<void> {
    if (slug === undefined || !found) return this.respondNotFound(response);
    const host = request.domain?.domain;
    const part = hasWords(found) ? { ...found, lang: requestedLanguage(request.originalUrl) } : found;
    await orUnavailable(request, response, async () => {
      const preview = await this.previews.render(request, { slug, part, host });
      const content = preview && new Content(preview, PRIVATE_HEADERS);
      if (content) await sendContent(request, response, 200, content, request.id);
      else await this.respondFromCache(request, response, { slug, part, host });
    });
  }

  /**
   * Responds with a document for this visitor only. Responds 404 if the path is not in its canonical spelling.
   * @param render gets the slug in the path; returns undefined for the 404 page
   * @param missing responds instead of the 404 page
   */
  async respondPrivately(
    request: Request,
    response: Response,
    render: (slug: string) => Promise<PrivateReply | undefined>,
    missing: (slug: string) => Promise<void> = () => this.respondNotFound(response),
  ): Promise<void> {
    const slug = slugIn(request);
    if (slug === undefined) return this.respondNotFound(response);
    await orUnavailable(request, response, async () => {
      const reply = await render(slug);
      if (!reply) return missing(slug);
      const { status, document, headers } = reply;
      delete request.headers['if-none-match']; // it has no ETag
      const content = new Content(encode(document), { ...PRIVATE_HEADERS, ...headers }, false);
      await sendContent(request, response, status, content, request.id);
    });
  }

  /** Redirects a former slug, or responds 404. */
  async respondMissing(request: Request, response: Response, { slug, part }: Address): Promise<void> {
    if (!this.former.respond(request, response, slug, part)) await this.respondNotFound(response);
  }

  /** Responds 404. Private pages, unknown slugs and disabled parts get the same bytes; on a domain, they link to its overview. */
  async respondNotFound(response: Response): Promise<void> {
    const { req } = response;
    await sendContent(req, response, 404, req.domain ? this.notFoundOnDomain : this.notFound, req.id);
  }

  /** Responds with the script of all pages. */
  async respondScript(response: Response): Promise<void> {
    await sendContent(response.req, response, 200, SCRIPT, response.req.id);
  }

  private async respondFromCache(request: Request, response: Response, address: Address): Promise<void> {
    const { slug } = address;
    const copy = await this.cache.get(address).catch((error: unknown) => {
      if (isUnavailable(error) && this.cache.directory.findFormer(slug)) return undefined;
      throw error;
    });
    if (copy) {
      await sendContent(request, response, 200, copy.content, request.id);
      this.cache.resized(copy);
      return;
    }
    const reply = await this.privateVisits.respond(request, address, this.cache.directory);
    if (reply) return sendContent(request, response, reply.status, reply.content, request.id);
    const present = this.former.slugOfDomain(request, slug);
    if (present === undefined) return this.respondMissing(request, response, address);
    await this.respondFromCache(request, response, { ...address, slug: present });
  }
}

/**
 * Returns the slug in the path of a request, or undefined if the path is not in its canonical spelling. With other spellings, such as
 * `%61` for `a`, caches would store any number of copies of a part.
 */
function slugIn(request: Request): string | undefined {
  const { originalUrl, params } = request;
  const own = routeOf(request)?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    [params[name]].flat().join('/'),
  );
  const { slug } = params;
  return isSlug(slug) && originalUrl.split('?', 1)[0] === own ? slug : undefined;
}

/** Responds 503 if the database is unavailable, or too many visitors wait. */
async function orUnavailable(
  request: Request,
  response: Response,
  respond: () => Promise<void>,
): Promise<void> {
  try {
    await respond();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    request.error_code = 'unavailable';
    await sendContent(request, response, 503, UNAVAILABLE, request.id);
  }
}
