import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';

/** A page as its visitors find it. */
export interface VisiblePage extends ProjectRef {
  id: string;
  slug: string;
  /** Changes in each transaction that changes what the page shows. */
  version: string;
}

/** Visitors have no organization: a slug or an id finds a page of any. */
const VISIBLE = `
  SELECT id, slug, page.organization_id, page.project_id,
         extract(epoch FROM updated_at) || ':' || coalesce(version, 0) AS version
    FROM status_pages AS page
    LEFT JOIN page_versions AS versions
           ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id`;

/** Finds status pages for their visitors, who have no key: of any organization. */
@Injectable()
export class PageLookupService {
  constructor(private readonly runner: StatementRunner) {}

  /** The public pages with these slugs, of any organization. */
  async findPublic(slugs: string[]): Promise<VisiblePage[]> {
    return this.runner.read<VisiblePage>(`${VISIBLE} WHERE slug = ANY($1) AND is_public`, [slugs]);
  }

  /** The public pages with these ids, of any organization. */
  async findPublicByIds(ids: string[]): Promise<VisiblePage[]> {
    return this.runner.read<VisiblePage>(`${VISIBLE} WHERE id = ANY($1::uuid[]) AND is_public`, [ids]);
  }

  /** A public or private page. For those who may see it: the administrator, and visitors with a preview link. */
  async find(id: string, manager?: EntityManager): Promise<VisiblePage | undefined> {
    const [page] = await this.runner.read<VisiblePage>(`${VISIBLE} WHERE id = $1`, [id], manager);
    return page;
  }

  /** A public or private page by its id or its slug. For the administrator (the CLI) only. */
  async findForAdministrator(idOrSlug: string): Promise<VisiblePage | undefined> {
    const page = UUID_PATTERN.test(idOrSlug) ? await this.find(idOrSlug) : undefined;
    if (page) return page; // otherwise, it is a slug, even if it looks like an id
    const [named] = await this.runner.read<VisiblePage>(`${VISIBLE} WHERE slug = $1`, [idOrSlug]);
    return named;
  }
}
