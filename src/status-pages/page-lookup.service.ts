import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { notFound } from '../platform/problems/problem.js';
import { ownRowParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { OWN } from './status-pages.repository.js';
import { IS_KEPT } from './unique-values.repository.js';

/** A page as visitors see it. */
export interface VersionedPage extends ProjectRef {
  id: string;
  slug: string;
  /** Changes in each transaction that changes the contents of the page. */
  version: string;
}

/** A private page, for visitors who may see it. */
export interface PrivatePage extends ProjectRef {
  id: string;
  slug: string;
}

/** A public page that was found by a slug. */
export interface FoundPage extends VersionedPage {
  /** The former slug by which it was found; null: its slug. */
  former_slug: string | null;
}

/** A page without its contents, which can have 200,000 bytes. */
export interface PageHead extends ProjectRef {
  id: string;
  slug: string;
  created_at: Date;
}

/** Not limited to an organization, because visitors do not belong to one. */
const COLUMNS = `page.id, page.slug, page.organization_id, page.project_id,
         extract(epoch FROM updated_at) || ':' || coalesce(version, 0) AS version`;
const VERSIONS = `
    LEFT JOIN page_versions AS versions
           ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id`;

const VISIBLE = `SELECT ${COLUMNS} FROM status_pages AS page ${VERSIONS}`;

/** The public pages that have or had the slugs of a parameter. */
const BY_SLUG = `
  SELECT ${COLUMNS}, NULL AS former_slug FROM status_pages AS page ${VERSIONS}
   WHERE slug = ANY($1) AND is_public
   UNION ALL
  SELECT ${COLUMNS}, former.slug AS former_slug
    FROM former_slugs AS former
    JOIN status_pages AS page
      ON page.organization_id = former.organization_id AND page.id = former.status_page_id ${VERSIONS}
   WHERE former.slug = ANY($1) AND former.${IS_KEPT} AND is_public`;

/** Finds status pages of any organization for visitors, who have no API key, and parts of status pages for other modules. */
@Injectable()
export class PageLookupService {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the public pages that have these slugs, or had them within the last year, of any organization. */
  async findPublic(slugs: string[]): Promise<FoundPage[]> {
    return this.runner.read<FoundPage>(BY_SLUG, [slugs]);
  }

  /** Returns a private page by its ID, of any organization. Only for the rules of who may see it. */
  async findPrivateById(id: string): Promise<PrivatePage | undefined> {
    const [page] = await this.runner.read<PrivatePage>(
      `SELECT id, slug, organization_id, project_id FROM status_pages WHERE id = $1 AND NOT is_public`,
      [id],
    );
    return page;
  }

  /** Returns the public pages with these IDs, of any organization. */
  async findPublicByIds(ids: string[], manager?: EntityManager): Promise<VersionedPage[]> {
    return this.runner.read<VersionedPage>(
      `${VISIBLE} WHERE id = ANY($1::uuid[]) AND is_public`,
      [ids],
      manager,
    );
  }

  /** Returns a public or private page. Only for the administrator (the CLI) and for visitors with a preview link. */
  async find(id: string, manager?: EntityManager): Promise<VersionedPage | undefined> {
    const [page] = await this.runner.read<VersionedPage>(`${VISIBLE} WHERE id = $1`, [id], manager);
    return page;
  }

  /** Returns whether a page of any organization has `subscribe_enabled`. Reads all pages; only for the startup. */
  async anyTakesSubscriptions(): Promise<boolean> {
    const [row] = await this.runner.read<{ found: boolean }>(
      'SELECT EXISTS (SELECT FROM status_pages WHERE subscribe_enabled) AS found',
      [],
    );
    return row?.found === true;
  }

  /**
   * Returns a page that the actor can access, without its contents.
   * @throws Problem 404 `not_found`
   */
  async head(access: ActorAccess, id: string, manager?: EntityManager): Promise<PageHead> {
    const [page] = await this.runner.readOwn<PageHead>(
      `SELECT id, slug, organization_id, project_id, created_at FROM status_pages WHERE ${OWN}`,
      ownRowParameters(access, id),
      manager,
    );
    if (!page) throw notFound('status page');
    return page;
  }

  /**
   * Returns the monitors of a page of a project.
   * @throws Problem 404 `not_found` if the page is not in the project
   */
  async monitorIdsOf(
    { organization_id, project_id }: ProjectRef,
    id: string,
    manager?: EntityManager,
  ): Promise<string[]> {
    const [page] = await this.runner.readOwn<{ monitor_ids: string[] }>(
      `SELECT jsonb_path_query_array(sections, '$[*].monitor_ids[*]') AS monitor_ids
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2 AND id = $3`,
      [organization_id, project_id, id],
      manager,
    );
    if (!page) throw notFound('status page');
    return page.monitor_ids;
  }

  /** Returns whether a public or private page of any organization has this slug. Only for visitors with a link in mail. */
  async isUsed(slug: string): Promise<boolean> {
    const pages = await this.runner.read<{ id: string }>(`${VISIBLE} WHERE slug = $1`, [slug]);
    return pages.length > 0;
  }

  /** Returns a public or private page by its ID or slug. Only for the administrator (the CLI). */
  async findForAdministrator(idOrSlug: string): Promise<VersionedPage | undefined> {
    const page = UUID_PATTERN.test(idOrSlug) ? await this.find(idOrSlug) : undefined;
    if (page) return page; // otherwise, it is a slug, even if it looks like an ID
    const [named] = await this.runner.read<VersionedPage>(`${VISIBLE} WHERE slug = $1`, [idOrSlug]);
    return named;
  }
}
