import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { KeyAccess } from '../auth/current-key.js';
import type { Range, Rows } from '../database/keyset.js';
import type { RawJson } from '../database/raw-json.js';
import { ResourceTable } from '../database/resource-table.js';
import { StatementRunner } from '../database/statement-runner.js';
import type { ExpectedVersions } from '../database/versions.js';
import type { Reference } from '../problems/references.js';
import { isCovered, ofProject, ownRow } from '../projects/own-rows.js';
import type { ProjectOwned } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import { StatusPage } from './status-page.entity.js';

/** The columns to change. */
export type StatusPagePatch = Partial<Omit<StatusPage, keyof ProjectOwned | 'revision'>>;

/** A page that is locked. */
export type OwnStatusPage = Pick<StatusPage, 'id' | 'organization_id' | 'project_id'>;

const FILTERS = ['slug', 'custom_domain'] as const;
/** What a list of pages can be limited to. */
export type PageFilter = Partial<Record<(typeof FILTERS)[number], string>>;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
/** The WHERE clause of a page that the key has access to, with the parameters of `ownRow`. */
export const OWN = `organization_id = $1 AND ${isCovered('project_id', '$2')} AND id = $3`;

/** The number of pages that one statement of a list reads. A page can have 200,000 bytes. */
const BATCH_SIZE = 25;

/** The queries on the table `status_pages`. {@link StatusPageWrites} has those that write. */
@Injectable()
export class StatusPagesRepository extends Repository<StatusPage> {
  readonly table: ResourceTable<StatusPage, StatusPageDto>;

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

  /**
   * Pages of a project, newest first. Uses `status_pages_list_idx`, or the unique indexes of the filter.
   * @param filter only the page with this slug, and with this domain
   */
  async findNewest(project: ProjectRef, filter: PageFilter, range: Range): Promise<Rows<StatusPageDto>> {
    const values = ofProject(project);
    let where = OF_PROJECT;
    for (const column of FILTERS) {
      if (filter[column] !== undefined) where += ` AND ${column} = $${values.push(filter[column])}`;
    }
    return this.table.list(where, values, range, BATCH_SIZE);
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

  /** Locks a page. Returns undefined if it does not exist or has another version than expected. */
  async lockOwn(
    access: KeyAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<OwnStatusPage | undefined> {
    const columns = ['id', 'organization_id', 'project_id'] as const;
    return this.table.lock(OWN, ownRow(access, id), expected, columns, manager);
  }

  /** Locks pages of the project against deletion, and returns their ids. Locks in the order of ids to avoid deadlocks. */
  async lock(project: ProjectRef, references: Reference[], manager: EntityManager): Promise<Set<string>> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[])
        ORDER BY id
          FOR KEY SHARE`,
      [...ofProject(project), references.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
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
}
