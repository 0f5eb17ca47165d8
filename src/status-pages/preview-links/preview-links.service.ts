import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../../platform/auth/actor.js';
import { generateToken, hashToken, isWellFormedToken } from '../../platform/auth/token-format.js';
import { Env } from '../../platform/config/env.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../platform/database/statements.js';
import { WriteLog } from '../../platform/database/write-log.repository.js';
import { notFound } from '../../platform/problems/problem.js';
import type { StatusPageDto } from '../dto/status-page.dto.js';
import { StatusPagesService } from '../status-pages.service.js';
import { pagePath } from '../page-path.js';
import { PageLookupService, type VersionedPage } from '../page-lookup.service.js';
import type { PreviewLinkDto } from './dto/preview-link.dto.js';
import { PreviewLinksRepository } from './preview-links.repository.js';

const PREFIX = 'pv_';
const VALID_HOURS = 24;

/** Maximum number of links per page. A new link replaces the oldest one. */
const MAX_LINKS = 100;

/** Creates and checks links that show a public or private page for 24 hours to anyone who has the link. */
@Injectable()
export class PreviewLinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: PreviewLinksRepository,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly publicUrl: PublicUrl,
    private readonly env: Env,
    private readonly log: WriteLog,
  ) {}

  /**
   * Creates a link to a page. Only its hash is stored.
   * @throws Problem 404 `not_found`
   */
  async create(actor: Actor, id: string): Promise<PreviewLinkDto> {
    const { text } = await this.statusPages.get(actor, id);
    const { slug, project_id }: StatusPageDto = JSON.parse(String(text));
    const token = generateToken(PREFIX);
    const expires_at = await this.insert(actor, { id, project_id }, token);
    const path = pagePath(slug, this.env.HOME_PAGE);
    return { url: `${this.publicUrl.value}${path}?preview=${token}`, expires_at };
  }

  /**
   * Inserts a link, and deletes old ones. This order prevents deadlocks, because the insert locks the page, and the deletion of
   * a page locks the page before its links.
   */
  private async insert(
    actor: Actor,
    { id: resource_id, project_id }: { id: string; project_id: string },
    token: string,
  ): Promise<Date> {
    const page = { organization_id: actor.organization_id, status_page_id: resource_id };
    const expires_at = await this.dataSource
      .transaction(async (manager) => {
        const inserted = await this.repository.insert(page, hashToken(token), VALID_HOURS, manager);
        await this.repository.deleteOld(page, MAX_LINKS, manager);
        await this.log.record({ actor, type: 'preview_link.created', project_id, resource_id }, manager);
        return inserted;
      })
      .catch(throwIfPageIsMissing);
    if (!expires_at) throw new Error('a preview link was not inserted');
    return expires_at;
  }

  /**
   * Returns whether a text has the format and checksum of a token. Checks the format only; does not check that the token
   * exists.
   */
  isWellFormed(text: string): boolean {
    return isWellFormedToken(PREFIX, text);
  }

  /**
   * Returns the page that a token shows.
   * @param slug must be the current slug of the page
   * @returns undefined if the token is malformed, unknown, expired, or for another page
   */
  async pageOf(token: string, slug: string): Promise<VersionedPage | undefined> {
    const link = await this.repository.findPage(hashToken(token));
    const page = link && (await this.pageLookup.find(link.status_page_id));
    return page?.slug === slug ? page : undefined;
  }
}

/** Throws 404 if a concurrent request has deleted the page, otherwise the same error. For the `catch` of an insert. */
function throwIfPageIsMissing(error: unknown): never {
  throw isSqlState(error, FOREIGN_KEY_VIOLATION, /_status_page_fkey$/) ? notFound('status page') : error;
}
