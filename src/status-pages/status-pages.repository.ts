import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { Position } from '../http/cursor.js';
import type { ExpectedVersions } from '../http/etag.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import { StatusPage } from './status-page.entity.js';

/** Whose pages a statement may touch: those of an organization, or of some projects of it (null: of all). */
export interface Owner {
  organization_id: string;
  project_ids: string[] | null;
}

/** The columns that a patch may write, with their types. */
const PATCHABLE = [
  { column: 'name', type: 'text' },
  { column: 'is_public', type: 'boolean' },
  { column: 'accent_color', type: 'text' },
  { column: 'sections', type: 'jsonb' },
] as const;

/** The new values of some columns. */
export type StatusPagePatch = Partial<Pick<StatusPage, (typeof PATCHABLE)[number]['column']>>;

// What goes out, by name and in the spec's order: a new column shows nowhere by itself.
const COLUMNS = `id, name, slug, is_public, description, accent_color, show_powered_by, show_history,
  history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at`;

// $1 is the page, $2 and $3 say whose it must be.
const OWN_PAGE = `id = $1 AND organization_id = $2 AND ($3::uuid[] IS NULL OR project_id = ANY($3::uuid[]))`;

/** The statements on `status_pages`. */
@Injectable()
export class StatusPagesRepository extends Repository<StatusPage> {
  constructor(dataSource: DataSource) {
    super(StatusPage, dataSource.manager);
  }

  /** At most `count` pages of a project after `after`, newest first; read from one stretch of `status_pages_list_idx`. */
  async findNewest(
    project: { organization_id: string; project_id: string },
    count: number,
    after: Position | null,
  ): Promise<StatusPageDto[]> {
    return this.query(
      `SELECT ${COLUMNS}
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2
          ${after ? 'AND (created_at, id) < ($4::timestamptz, $5::uuid)' : ''}
        ORDER BY created_at DESC, id DESC
        LIMIT $3`,
      [project.organization_id, project.project_id, count, ...(after ? [after.created_at, after.id] : [])],
    );
  }

  async findOwn(
    owner: Owner,
    id: string,
    manager: EntityManager = this.manager,
  ): Promise<StatusPageDto | undefined> {
    const rows: StatusPageDto[] = await manager.query(
      `SELECT ${COLUMNS} FROM status_pages WHERE ${OWN_PAGE}`,
      [id, owner.organization_id, owner.project_ids],
    );
    return rows[0];
  }

  /**
   * Writes the columns of `patch`, and no others, in one statement, and answers the whole page. `updated_at` grows
   * if, and only if, a value changes. Undefined: there is no such page, or not in one of the expected versions.
   */
  async patch(
    owner: Owner,
    id: string,
    patch: StatusPagePatch,
    expected: ExpectedVersions,
    manager: EntityManager = this.manager,
  ): Promise<StatusPageDto | undefined> {
    const parameters: unknown[] = [id, owner.organization_id, owner.project_ids, expected ?? null];
    const changes = PATCHABLE.flatMap(({ column, type }) => {
      const value = patch[column];
      if (value === undefined) return [];
      const length = parameters.push(type === 'jsonb' ? JSON.stringify(value) : value);
      return [{ column, value: `$${length}::${type}` }];
    });
    const columns = changes.map(({ column }) => column).join(', ');
    const values = changes.map(({ value }) => value).join(', ');
    const [rows]: [StatusPageDto[], number] = await manager.query(
      `UPDATE status_pages
          SET (${columns}) = ROW (${values}),
              updated_at = CASE
                WHEN ROW (${columns}) IS DISTINCT FROM ROW (${values})
                THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
                ELSE updated_at
              END
        WHERE ${OWN_PAGE}
          AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING ${COLUMNS}`,
      parameters,
    );
    return rows[0];
  }

  /** Those of `slugs` that pages have, of whatever organization: slugs are unique in the installation. */
  async findTaken(slugs: string[], manager: EntityManager): Promise<Set<string>> {
    const rows: { slug: string }[] = await manager.query(
      `SELECT slug FROM status_pages WHERE slug = ANY($1)`,
      [slugs],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Whether a page has this custom domain, of whatever organization: they are unique in the installation. */
  async hasCustomDomain(custom_domain: string, manager: EntityManager): Promise<boolean> {
    const rows: object[] = await manager.query(`SELECT 1 FROM status_pages WHERE custom_domain = $1`, [
      custom_domain,
    ]);
    return rows.length > 0;
  }

  /** Makes a page, unless its slug or its custom domain is taken: then undefined. */
  async insertUnlessTaken(
    page: Pick<
      StatusPage,
      'id' | 'organization_id' | 'project_id' | 'name' | 'slug' | 'description' | 'custom_domain' | 'sections'
    >,
    manager: EntityManager,
  ): Promise<StatusPageDto | undefined> {
    const rows: StatusPageDto[] = await manager.query(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, description, custom_domain, sections, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       ON CONFLICT DO NOTHING
       RETURNING ${COLUMNS}`,
      [
        page.id,
        page.organization_id,
        page.project_id,
        page.name,
        page.slug,
        page.description,
        page.custom_domain,
        JSON.stringify(page.sections),
        new Date(), // by the clock that makes the id, so that both sort alike
      ],
    );
    return rows[0];
  }
}
