import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import {
  IN_EXPECTED_VERSION,
  NEXT_VERSION,
  placeholders,
  setPatch,
  type Writable,
} from '../database/statements.js';
import { StatementRunner } from '../database/statement-runner.js';
import type { KeyReach } from '../auth/current-key.js';
import type { Position } from '../database/keyset.js';
import type { ExpectedVersions } from '../database/versions.js';
import { RawJson } from '../database/raw-json.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import { StatusPage } from './status-page.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';

/** The new values of some columns. */
export type StatusPagePatch = Partial<
  Omit<StatusPage, 'id' | 'organization_id' | 'project_id' | 'project' | 'created_at' | 'updated_at'>
>;

const WRITABLE: Writable<StatusPagePatch> = {
  name: 'text',
  slug: 'text',
  is_public: 'boolean',
  description: 'text',
  accent_color: 'text',
  show_powered_by: 'boolean',
  show_history: 'boolean',
  history_days: 'integer',
  rss_enabled: 'boolean',
  subscribe_enabled: 'boolean',
  custom_domain: 'text',
  sections: 'jsonb',
};

// What goes out, by name and in the spec's order: a new column shows nowhere by itself.
const COLUMNS = `id, name, slug, is_public, description, accent_color, show_powered_by, show_history,
  history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at`;

// A row `page` as JSON text, its times in the form of the wire.
const time = (column: string) =>
  `to_char(page.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const SHOWN = COLUMNS.split(/,\s+/)
  .map((column) => (column.endsWith('_at') ? `${time(column)} AS ${column}` : `page.${column}`))
  .join(', ');
const VERSION = `${time('updated_at')} AS updated_at`;
const AS_JSON = `row_to_json((SELECT shown FROM (SELECT ${SHOWN}) AS shown))`;

/**
 * The first `$3` pages of a list, as a JSON array, and the position of the last. One row more is read: it only says that
 * there is one.
 */
const list = (after: string) => `
  SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
         CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
         CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
    FROM (SELECT ${AS_JSON} AS json, id, created_at
            FROM (SELECT ${COLUMNS}
                    FROM status_pages
                   WHERE organization_id = $1 AND project_id = $2 ${after}
                   ORDER BY created_at DESC, id DESC
                   LIMIT $3::int + 1) AS page
         ) AS pages`;
// Made once, as all of these: to hash and compare so long a text at each request, for its name, took 2 % of the time.
const LIST = list('');
const LIST_AFTER = list('AND (created_at, id) < ($4::timestamptz, $5::uuid)');

/** The bytes of JSON that end a list early: one page may have 200,000. To count them in SQL costs an ordinary list a tenth. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const AT_ONCE = 25;

interface TextRow {
  text: string;
  updated_at: string;
}

// $1 is the page, $2 and $3 say whose it must be.
const OWN_PAGE = `id = $1 AND organization_id = $2 AND ($3::uuid[] IS NULL OR project_id = ANY($3::uuid[]))`;
const GET = `SELECT ${AS_JSON}::text AS text, ${VERSION} FROM status_pages AS page WHERE ${OWN_PAGE}`;

/** The statements on `status_pages`. */
@Injectable()
export class StatusPagesRepository extends Repository<StatusPage> {
  /** By their SET: one for each choice of columns. */
  private readonly updates = new Map<string, string>();

  constructor(
    dataSource: DataSource,
    private readonly database: StatementRunner,
  ) {
    super(StatusPage, dataSource.manager);
  }

  /**
   * At most `limit` pages of a project after `after`, newest first, as a JSON array; and the position of the last, if more
   * follow. Read from one stretch of `status_pages_list_idx`, {@link AT_ONCE} pages at a time, until there are {@link MAX_LIST_BYTES} bytes.
   */
  async findNewest(
    project: ProjectRef,
    limit: number,
    after: Position | null,
  ): Promise<{ text: string; next: Position | null }> {
    let { text, next } = await this.findList(project, Math.min(limit, AT_ONCE), after);
    for (
      let left = limit - AT_ONCE;
      left > 0 && next && Buffer.byteLength(text) < MAX_LIST_BYTES;
      left -= AT_ONCE
    ) {
      const more = await this.findList(project, Math.min(left, AT_ONCE), next);
      next = more.next;
      // Empty: those that followed have been deleted since.
      if (more.text !== '[]') text = `${text.slice(0, -1)},${more.text.slice(1)}`;
    }
    return { text, next };
  }

  private async findList(
    { organization_id, project_id }: ProjectRef,
    limit: number,
    after: Position | null,
  ): Promise<{ text: string; next: Position | null }> {
    const [row] = await this.database.read<{ text: string; created_at: Date | null; id: string | null }>(
      after ? LIST_AFTER : LIST,
      [organization_id, project_id, limit, ...(after ? [after.created_at, after.id] : [])],
    );
    const { text = '[]', created_at = null, id = null } = row ?? {};
    return { text, next: created_at && id ? { created_at, id } : null };
  }

  /** A page as JSON. */
  async findOwnText(reach: KeyReach, id: string): Promise<RawJson<StatusPageDto> | undefined> {
    const [row] = await this.database.read<TextRow>(GET, [id, reach.organization_id, reach.project_ids]);
    return row && new RawJson(row.text, row.updated_at);
  }

  async findOwn(
    reach: KeyReach,
    id: string,
    manager: EntityManager = this.manager,
  ): Promise<StatusPageDto | undefined> {
    const rows: StatusPageDto[] = await manager.query(
      `SELECT ${COLUMNS} FROM status_pages WHERE ${OWN_PAGE}`,
      [id, reach.organization_id, reach.project_ids],
    );
    return rows[0];
  }

  /**
   * Writes the columns of `patch`, and no others, in one statement, and answers the whole page, as JSON. `updated_at` grows
   * if, and only if, a value changes. Undefined: there is no such page, or not in one of the expected versions.
   * @param manager of the transaction, if it is part of one
   */
  async patch(
    reach: KeyReach,
    id: string,
    patch: StatusPagePatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto> | undefined> {
    const values: unknown[] = [id, reach.organization_id, reach.project_ids, expected ?? null];
    const text = this.updateBy(setPatch(WRITABLE, patch, values));
    const [row] = manager
      ? (await manager.query<[TextRow[], number]>(text, values))[0]
      : await this.database.query<TextRow>(text, values);
    return row && new RawJson(row.text, row.updated_at);
  }

  private updateBy(set: string): string {
    const known = this.updates.get(set);
    if (known !== undefined) return known;
    const text = `UPDATE status_pages AS page
          ${set}
        WHERE ${OWN_PAGE}
          AND ${IN_EXPECTED_VERSION}
    RETURNING ${AS_JSON}::text AS text, ${VERSION}`;
    this.updates.set(set, text);
    return text;
  }

  /** Whether there was such a page, in one of the expected versions, and now is none. */
  async deleteOwn(reach: KeyReach, id: string, expected: ExpectedVersions): Promise<boolean> {
    const [, deleted]: [unknown[], number] = await this.query(
      `DELETE FROM status_pages
        WHERE ${OWN_PAGE}
          AND ${IN_EXPECTED_VERSION}`,
      [id, reach.organization_id, reach.project_ids, expected ?? null],
    );
    return deleted > 0;
  }

  /** Those of `slugs` that pages have, of whatever organization: slugs are unique in the installation. */
  async findTaken(slugs: string[], manager: EntityManager): Promise<Set<string>> {
    const rows: { slug: string }[] = await manager.query(
      `SELECT slug FROM status_pages WHERE slug = ANY($1)`,
      [slugs],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Which of these, unique in the installation, another page than `id` has, of whatever organization. */
  async findTakenBy(
    id: string | null,
    { slug, custom_domain }: Pick<StatusPagePatch, 'slug' | 'custom_domain'>,
    manager: EntityManager,
  ): Promise<{ slug: boolean; custom_domain: boolean }> {
    const rows: { slug: boolean; custom_domain: boolean }[] = await manager.query(
      `SELECT EXISTS (SELECT FROM status_pages WHERE slug = $2 AND id IS DISTINCT FROM $1) AS slug,
              EXISTS (SELECT FROM status_pages WHERE custom_domain = $3 AND id IS DISTINCT FROM $1) AS custom_domain`,
      [id, slug ?? null, custom_domain ?? null],
    );
    return rows[0] ?? { slug: false, custom_domain: false };
  }

  /** Makes a page, unless its slug or domain is taken: then undefined. What is not given gets the column's default. */
  async insertUnlessTaken(
    page: Pick<StatusPage, 'id' | 'organization_id' | 'project_id'> & StatusPagePatch,
    manager: EntityManager,
  ): Promise<StatusPageDto | undefined> {
    const now = new Date(); // by the clock that makes the id, so that both sort alike
    const parameters: unknown[] = [page.id, page.organization_id, page.project_id, now];
    const given = placeholders(WRITABLE, page, parameters);
    const rows: StatusPageDto[] = await manager.query(
      `INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, ${given.columns})
       VALUES ($1, $2, $3, $4, $4, ${given.values})
       ON CONFLICT DO NOTHING
       RETURNING ${COLUMNS}`,
      parameters,
    );
    return rows[0];
  }

  /**
   * Takes a monitor out of every section of the project's pages that shows it, by `status_pages_sections_idx`. Pages are
   * locked in the order of ids, so that two deletions of monitors that share pages do not wait for each other.
   */
  async removeMonitor(
    { id, organization_id, project_id }: { id: string; organization_id: string; project_id: string },
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `WITH showing AS (
         SELECT id
           FROM status_pages
          WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
          ORDER BY id
            FOR NO KEY UPDATE
       )
       UPDATE status_pages
          SET sections = (
                SELECT jsonb_agg(jsonb_set(section, '{monitor_ids}', (section -> 'monitor_ids') - $4::text) ORDER BY place)
                  FROM jsonb_array_elements(sections) WITH ORDINALITY AS one (section, place)
              ),
              updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND project_id = $2 AND id IN (SELECT id FROM showing)`,
      [organization_id, project_id, JSON.stringify([{ monitor_ids: [id] }]), id],
    );
  }
}
