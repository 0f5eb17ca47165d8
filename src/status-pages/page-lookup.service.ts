import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { notFound } from '../platform/problems/problem.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import type { ProjectRef } from '../projects/project-ref.js';
import {
  type FoundPage,
  type PageHead,
  PageLookupRepository,
  type PrivatePage,
  type VersionedPage,
} from './page-lookup.repository.js';

export type { FoundPage, PageHead, PrivatePage, VersionedPage } from './page-lookup.repository.js';

/** Finds status pages of any organization for visitors, who have no API key, and parts of status pages for other modules. */
@Injectable()
export class PageLookupService {
  constructor(private readonly repository: PageLookupRepository) {}

  /** Returns the public pages that have these slugs, or had them within the last year, of any organization. */
  async findPublic(slugs: string[]): Promise<FoundPage[]> {
    return this.repository.findPublic(slugs);
  }

  /** Returns a private page by its ID, of any organization. Only for the rules of who may see it. */
  async findPrivateById(id: string): Promise<PrivatePage | undefined> {
    return this.repository.findPrivateById(id);
  }

  /** Returns the public pages with these IDs, of any organization. */
  async findPublicByIds(ids: string[], manager?: EntityManager): Promise<VersionedPage[]> {
    return this.repository.findPublicByIds(ids, manager);
  }

  /** Returns a public or private page. Only for the administrator (the CLI) and for visitors with a preview link. */
  async find(id: string, manager?: EntityManager): Promise<VersionedPage | undefined> {
    return this.repository.find(id, manager);
  }

  /** Returns whether a page of any organization has `subscribe_enabled`. Reads all pages; only for the startup. */
  async anyTakesSubscriptions(): Promise<boolean> {
    return this.repository.anyTakesSubscriptions();
  }

  /** Returns the oldest page of each project. Leaves out projects without pages, and projects that the actor cannot access. */
  async oldestOf(access: ActorAccess, projectIds: string[]): Promise<{ id: string; project_id: string }[]> {
    return this.repository.findOldest(access, projectIds);
  }

  /**
   * Returns a page that the actor can access, without its contents.
   * @throws Problem 404 `not_found`
   */
  async head(access: ActorAccess, id: string, manager?: EntityManager): Promise<PageHead> {
    const page = await this.repository.findHead(access, id, manager);
    if (!page) throw notFound('status page');
    return page;
  }

  /**
   * Returns the monitors of a page of a project.
   * @throws Problem 404 `not_found` if the page is not in the project
   */
  async monitorIdsOf(project: ProjectRef, id: string, manager?: EntityManager): Promise<string[]> {
    const ids = await this.repository.findMonitorIds(project, id, manager);
    if (!ids) throw notFound('status page');
    return ids;
  }

  /** Returns whether a public or private page of any organization has this slug. Only for visitors with a link in mail. */
  async isUsed(slug: string): Promise<boolean> {
    return (await this.repository.findBySlug(slug)) !== undefined;
  }

  /** Returns a public or private page by its ID or slug. Only for the administrator (the CLI). */
  async findForAdministrator(idOrSlug: string): Promise<VersionedPage | undefined> {
    const page = UUID_PATTERN.test(idOrSlug) ? await this.find(idOrSlug) : undefined;
    return page ?? this.repository.findBySlug(idOrSlug); // a slug can look like an ID
  }
}
