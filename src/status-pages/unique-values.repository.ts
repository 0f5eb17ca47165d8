import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { StatusPagePatch } from './status-pages.repository.js';

/** Condition of rows of `former_slugs` that still redirect, and are taken for other organizations. */
export const IS_KEPT = `created_at > now() - interval '1 year'`;

/** Finds slugs and domains that are taken, and deletes former slugs that no longer are. */
@Injectable()
export class UniqueValuesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the `slugs` that are or were in use in any organization. Slugs are unique in the instance. */
  async findTaken(slugs: string[], manager: EntityManager): Promise<Set<string>> {
    const rows = await this.runner.read<{ slug: string }>(
      `(SELECT slug FROM status_pages WHERE slug = ANY($1))
        UNION ALL (SELECT slug FROM former_slugs WHERE slug = ANY($1) AND ${IS_KEPT})`,
      [slugs],
      manager,
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  /**
   * Returns whether a page other than `id` has this slug, in any organization, or this domain, in the same organization, or whether
   * the slug is a former one of another organization.
   */
  async findTakenByOthers(
    id: string | null,
    organizationId: string,
    { slug, custom_domain }: Pick<StatusPagePatch, 'slug' | 'custom_domain'>,
    manager: EntityManager,
  ): Promise<{ slug: boolean; custom_domain: boolean }> {
    const rows = await this.runner.read<{ slug: boolean; custom_domain: boolean }>(
      `SELECT EXISTS (SELECT FROM status_pages WHERE slug = $2 AND id IS DISTINCT FROM $1)
                OR is_former_slug_of_others($2, $4) AS slug,
              EXISTS (SELECT FROM status_pages
                       WHERE organization_id = $4 AND custom_domain = $3 AND id IS DISTINCT FROM $1) AS custom_domain`,
      [id, slug ?? null, custom_domain ?? null, organizationId],
      manager,
    );
    return rows[0] ?? { slug: false, custom_domain: false };
  }

  /**
   * Deletes at most `limit` former slugs of any organization that are older than a year. Skips rows that another process is
   * deleting. Scans the table, which contains only changed slugs.
   * @returns the number of deleted rows
   */
  async deleteOld(limit: number): Promise<number> {
    const rows = await this.runner.query(
      `DELETE FROM former_slugs
        WHERE slug IN (SELECT slug FROM former_slugs WHERE NOT (${IS_KEPT}) LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING slug`,
      [limit],
    );
    return rows.length;
  }
}
