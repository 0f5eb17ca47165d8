import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { PageUrls } from '../domains/page-urls.js';
import type { Actor } from '../platform/auth/actor.js';
import { generateToken, hashToken, isWellFormedToken } from '../platform/auth/token-format.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { notFound, Problem } from '../platform/problems/problem.js';
import { type PageHead, PageLookupService, type PrivatePage } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { AccessLinksRepository } from './access-links.repository.js';
import type { AccessLinkDto, NewAccessLinkDto } from './dto/access-link.dto.js';
import type { CreateAccessLinkDto } from './dto/create-access-link.dto.js';

const PREFIX = 'al_';

/** Maximum number of links of a page. */
export const MAX_ACCESS_LINKS = 100;

/** Manages links with tokens, with which feed readers and programs see every part of a private page. */
@Injectable()
export class AccessLinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: AccessLinksRepository,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly urls: PageUrls,
    private readonly log: WriteLog,
  ) {}

  /**
   * Lists the links of a page, newest first.
   * @throws Problem 404 `not_found`; 400 `invalid_cursor`
   */
  async list(actor: Actor, id: string, query: ListQuery): Promise<ListPage<AccessLinkDto>> {
    return readListPage({ name: 'access_links', owner_id: id }, query, async (range) =>
      this.repository.findNewest(refOf(await this.pageLookup.head(actor, id)), range),
    );
  }

  /** Returns a link of a page. @throws Problem 404 `not_found` */
  async get(actor: Actor, pageId: string, id: string): Promise<RawJson<AccessLinkDto>> {
    const link = await this.repository.findOf(refOf(await this.pageLookup.head(actor, pageId)), id);
    if (!link) throw notFound('access link');
    return link;
  }

  /**
   * Creates a link. Only its hash is stored.
   * @throws Problem 404 `not_found`; 409 `conflict` if the page has {@link MAX_ACCESS_LINKS}
   */
  async create(
    actor: Actor,
    pageId: string,
    { description }: CreateAccessLinkDto,
  ): Promise<NewAccessLinkDto> {
    return this.dataSource.transaction(async (manager) => {
      await this.statusPages.lockOwn(actor, pageId, undefined, manager);
      const head = await this.pageLookup.head(actor, pageId, manager);
      const page = refOf(head);
      if ((await this.repository.countOf(page, manager)) >= MAX_ACCESS_LINKS)
        throw new Problem('conflict', {
          detail: `The status page has ${MAX_ACCESS_LINKS} access links, which is the maximum. Delete an unused one.`,
        });
      const created = await this.createIn(actor, head, { description }, manager);
      const data = { access_link_id: created.id, description };
      const entry = { actor, project_id: head.project_id, resource_id: pageId, data };
      await this.log.record({ type: 'access_link.created', ...entry }, manager);
      return created;
    });
  }

  /** Creates a link to a page that the transaction of `manager` has locked or created, without a limit on their number. */
  async createIn(
    { organization_id }: Actor,
    page: Pick<PageHead, 'id' | 'slug'>,
    { id = uuidv7(), description }: { id?: string | undefined; description: string },
    manager: EntityManager,
  ): Promise<NewAccessLinkDto> {
    const token = generateToken(PREFIX);
    const row = { organization_id, status_page_id: page.id, id, description, token_hash: hashToken(token) };
    const link = await this.repository.insertOne(row, manager);
    const url = new URL(this.urls.of(page));
    url.searchParams.set('token', token);
    return { ...link, token, url: url.href };
  }

  /** Deletes a link, which ends its use immediately. @throws Problem 404 `not_found` */
  async delete(actor: Actor, pageId: string, id: string): Promise<void> {
    const head = await this.pageLookup.head(actor, pageId);
    await this.dataSource.transaction(async (manager) => {
      const description = await this.repository.deleteOf(refOf(head), id, manager);
      if (description === undefined) throw notFound('access link');
      const data = { access_link_id: id, description };
      const entry = { actor, project_id: head.project_id, resource_id: pageId, data };
      await this.log.record({ type: 'access_link.deleted', ...entry }, manager);
    });
  }

  /** Returns whether a text has the format and checksum of a token. Does not check that the token exists. */
  isWellFormed(text: string): boolean {
    return isWellFormedToken(PREFIX, text);
  }

  /** Returns the private page that a token shows, or undefined. For visitors. */
  async pageOf(token: string): Promise<PrivatePage | undefined> {
    const link = await this.repository.findByToken(hashToken(token));
    const page = link && (await this.pageLookup.findPrivateById(link.status_page_id));
    if (page && !link.is_noted) await this.repository.note(link);
    return page;
  }
}

function refOf({ organization_id, id }: Pick<PageHead, 'id' | 'organization_id'>) {
  return { organization_id, status_page_id: id };
}
