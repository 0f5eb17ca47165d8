import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { KeyAccess } from '../auth/current-key.js';
import type { Range, Rows } from '../database/keyset.js';
import type { RawJson } from '../database/raw-json.js';
import { ResourceTable } from '../database/resource-table.js';
import { StatementRunner } from '../database/statement-runner.js';
import { NEXT_VERSION } from '../database/statements.js';
import type { ExpectedVersions } from '../database/versions.js';
import { isCovered, ofProject, ownRow } from '../projects/own-rows.js';
import type { ProjectOwned } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import { StatusPage } from './status-page.entity.js';

/** The columns to change. */
export type StatusPagePatch = Partial<Omit<StatusPage, keyof ProjectOwned>>;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${isCovered('project_id', '$2')} AND id = $3`;

/** The number of pages that one statement of a list reads. A page can have 200,000 bytes. */
const BATCH_SIZE = 25;

/** The queries on the table `status_pages`. */
@Injectable()
export class StatusPagesRepository extends Repository<StatusPage> {
  private readonly table: ResourceTable<StatusPage, StatusPageDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(StatusPage, dataSource.manager);
    // In the order of the spec, section 2.
    this.table = new ResourceTable(this, runner, [
      'id',
      'name',
      'slug',
      'is_public',
      'description',
      'accent_color',
      'show_powered_by',
      'show_history',
      'history_days',
      'rss_enabled',
      'subscribe_enabled',
      'custom_domain',
      'sections',
      'project_id',
      'created_at',
      'updated_at',
    ]);
  }

  /** Pages of a project, newest first. Uses `status_pages_list_idx`. */
  async findNewest(project: ProjectRef, range: Range): Promise<Rows<StatusPageDto>> {
    return this.table.list(OF_PROJECT, ofProject(project), range, BATCH_SIZE);
  }

  async findOwn(
    access: KeyAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto> | undefined> {
    return this.table.find(OWN, ownRow(access, id), manager);
  }

  /** The project of a page. */
  async findProject(access: KeyAccess, id: string, manager: EntityManager): Promise<ProjectRef | undefined> {
    const rows: ProjectRef[] = await manager.query(
      `SELECT organization_id, project_id FROM status_pages WHERE ${OWN}`,
      ownRow(access, id),
    );
    return rows[0];
  }

  /** Updates a page. Returns undefined if it does not exist or has another version than expected. */
  async patch(
    access: KeyAccess,
    id: string,
    patch: StatusPagePatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto> | undefined> {
    return this.table.patch(OWN, ownRow(access, id), patch, expected, manager);
  }

  /** Deletes a page. Returns false if it does not exist or has another version than expected. */
  async deleteOwn(access: KeyAccess, id: string, expected: ExpectedVersions): Promise<boolean> {
    return (await this.table.delete(OWN, ownRow(access, id), expected, ['id'])) !== undefined;
  }

  /** Returns the `slugs` that are taken, in any organization: slugs are unique in the installation. */
  async findTaken(slugs: string[], manager: EntityManager): Promise<Set<string>> {
    const rows: { slug: string }[] = await manager.query(
      `SELECT slug FROM status_pages WHERE slug = ANY($1)`,
      [slugs],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Whether a page other than `id` has this slug or domain, in any organization. */
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

  /** Inserts a page, with column defaults for missing fields. Returns undefined if its slug or domain is taken. */
  async insertUnlessTaken(
    page: Pick<StatusPage, 'id' | 'organization_id' | 'project_id'> & StatusPagePatch,
    manager: EntityManager,
  ): Promise<StatusPageDto | undefined> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const parameters: unknown[] = [page.id, page.organization_id, page.project_id, now];
    const { columns, placeholders } = this.table.assignments(page, parameters);
    // Not prepared: each choice of fields is another text.
    const rows: StatusPageDto[] = await manager.query(
      `INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, ${columns})
       VALUES ($1, $2, $3, $4, $4, ${placeholders})
       ON CONFLICT DO NOTHING
       RETURNING ${this.table.columns}`,
      parameters,
    );
    return rows[0];
  }

  /**
   * Removes a monitor from all sections of its project. Uses `status_pages_sections_idx`. Locks the pages in the order of
   * ids to avoid a deadlock with the deletion of another monitor.
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
