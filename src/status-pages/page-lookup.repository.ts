import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import {
  OF_PROJECT,
  OWN,
  ownRowParameters,
  projectParameters,
  projectCondition,
} from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ProjectRef } from '../projects/project-ref.js';
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

/** Statements of `PageLookupService`. Those without a key find pages of any organization. */
@Injectable()
export class PageLookupRepository {
  constructor(private readonly runner: StatementRunner) {}

  async findPublic(slugs: string[]): Promise<FoundPage[]> {
    return this.runner.read<FoundPage>(BY_SLUG, [slugs]);
  }

  async findPrivateById(id: string): Promise<PrivatePage | undefined> {
    const [page] = await this.runner.read<PrivatePage>(
      `SELECT id, slug, organization_id, project_id FROM status_pages WHERE id = $1 AND NOT is_public`,
      [id],
    );
    return page;
  }

  async findPublicByIds(ids: string[], manager?: EntityManager): Promise<VersionedPage[]> {
    return this.runner.read<VersionedPage>(
      `${VISIBLE} WHERE id = ANY($1::uuid[]) AND is_public`,
      [ids],
      manager,
    );
  }

  async find(id: string, manager?: EntityManager): Promise<VersionedPage | undefined> {
    const [page] = await this.runner.read<VersionedPage>(`${VISIBLE} WHERE id = $1`, [id], manager);
    return page;
  }

  async findBySlug(slug: string): Promise<VersionedPage | undefined> {
    const [page] = await this.runner.read<VersionedPage>(`${VISIBLE} WHERE slug = $1`, [slug]);
    return page;
  }

  /** Reads all pages. */
  async anyTakesSubscriptions(): Promise<boolean> {
    const [row] = await this.runner.read<{ found: boolean }>(
      'SELECT EXISTS (SELECT FROM status_pages WHERE subscribe_enabled) AS found',
      [],
    );
    return row?.found === true;
  }

  async findHead(access: ActorAccess, id: string, manager?: EntityManager): Promise<PageHead | undefined> {
    const [page] = await this.runner.readOwn<PageHead>(
      `SELECT id, slug, organization_id, project_id, created_at FROM status_pages WHERE ${OWN}`,
      ownRowParameters(access, id),
      manager,
    );
    return page;
  }

  async findOldest(
    { organization_id, project_ids }: ActorAccess,
    ids: string[],
  ): Promise<{ id: string; project_id: string }[]> {
    return this.runner.readOwn<{ id: string; project_id: string }>(
      `SELECT DISTINCT ON (project_id) id, project_id
         FROM status_pages
        WHERE organization_id = $1 AND ${projectCondition('project_id', '$2')} AND project_id = ANY($3::uuid[])
        ORDER BY project_id, created_at, id`,
      [organization_id, project_ids, ids],
    );
  }

  async findMonitorIds(
    project: ProjectRef,
    id: string,
    manager?: EntityManager,
  ): Promise<string[] | undefined> {
    const [page] = await this.runner.readOwn<{ monitor_ids: string[] }>(
      `SELECT jsonb_path_query_array(sections, '$[*].monitor_ids[*]') AS monitor_ids
         FROM status_pages
        WHERE ${OF_PROJECT} AND id = $3`,
      [...projectParameters(project), id],
      manager,
    );
    return page?.monitor_ids;
  }
}
