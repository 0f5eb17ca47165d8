import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { OWN, ownRowParameters } from '../platform/database/own-rows.js';
import { type OutputRow, type RawJson, toRawJson } from '../platform/database/raw-json.js';
import type { LoggedTable } from '../platform/database/logged-table.js';
import type { Assignments } from '../platform/database/table-columns.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { OwnRows, type PatchOf } from '../platform/database/tenant-repository.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { insertPageEvents } from '../events/event-statements.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import {
  changeParameters,
  type Change,
  DELETE_OUTDATED,
  insertRevisions,
  lockForPatch,
  MAX_REVISIONS,
  patchWithRevision,
} from './revision-statements.js';
import { StatusPage } from './status-page.entity.js';

export type StatusPagePatch = Omit<PatchOf<StatusPage>, 'revision'>;

/** A page to insert. Omitted fields get the defaults of their columns. */
export type InsertedPage = Pick<StatusPage, 'id' | 'organization_id' | 'project_id' | 'revision'> &
  Pick<StatusPage, 'created_at' | 'updated_at'> &
  StatusPagePatch;

interface PatchedRow extends OutputRow {
  /** Whether old revisions must be deleted now. */
  has_outdated: boolean;
  revision: number;
}

/** A locked page. */
export type LockedStatusPage = Pick<StatusPage, 'id' | 'organization_id' | 'project_id'>;

/** Number of pages that one statement of a list reads. A page can have 200,000 bytes. */
const BATCH_SIZE = 25;

/** Reads and writes the table `status_pages`. Statements that write a page also write its revision. */
@Injectable()
export class StatusPagesRepository extends OwnRows<StatusPage, StatusPageDto, LockedStatusPage> {
  /** Update statements by their columns. Building a statement takes longer than a lookup. */
  private readonly patches = new Map<string, { lock: string; text: string }>();
  declare readonly table: LoggedTable<StatusPage, StatusPageDto>;

  constructor(@InjectRepository(StatusPage) repository: Repository<StatusPage>, runner: StatementRunner) {
    super(repository, runner, {
      // in the order of the spec, section 2
      output: [
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
      ],
      locked: ['id', 'organization_id', 'project_id'],
      batchSize: BATCH_SIZE,
    });
  }

  /**
   * Locks and updates a page, and writes a revision if a value changes, see {@link patchWithRevision}. After every 100th
   * change, another statement deletes revisions beyond the limit. Returns undefined if the page does not exist or its version
   * is not the expected one.
   */
  async patch(
    access: ActorAccess,
    id: string,
    patch: StatusPagePatch,
    change: Change,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto> | undefined> {
    const own = ownRowParameters(access, id);
    const parameters = [...own, expected ?? null, ...changeParameters(change)];
    const changes = this.table.assignments(patch, parameters);
    if (changes.names.length === 0) return this.table.patch(OWN, own, {}, expected, manager);
    const { lock, text } = this.statementsOf(changes);
    const rows = await this.runner.queryLocked<PatchedRow>(
      { text: lock, values: own },
      { text, values: parameters },
      manager,
    );
    const [row] = rows;
    if (row?.has_outdated) {
      const deleting = this.runner.query(
        DELETE_OUTDATED,
        [access.organization_id, id, row.revision],
        manager,
      );
      // Without a transaction, the update is already committed. If the deletion fails, the next try is 100 changes later.
      await (manager ? deleting : deleting.catch(() => undefined));
    }
    return toRawJson(rows);
  }

  private statementsOf(changes: Assignments): { lock: string; text: string } {
    const known = this.patches.get(changes.columns);
    if (known) return known;
    const built = {
      lock: lockForPatch(OWN, changes),
      text: patchWithRevision(OWN, changes, this.table.outputRow()),
    };
    this.patches.set(changes.columns, built);
    return built;
  }

  /**
   * Inserts a page with its first revision, or a restored page with its next one. Returns undefined if its slug or domain is
   * taken.
   * @param before the values of a deleted page that differ from `page`
   */
  async insertUnlessTaken(
    page: InsertedPage,
    change: Change,
    manager: EntityManager,
    before: StatusPagePatch = {},
  ): Promise<StatusPageDto | undefined> {
    const { id, organization_id, project_id, created_at, updated_at, revision, ...fields } = page;
    const values = [id, organization_id, project_id, created_at, updated_at, revision];
    const parameters: unknown[] = [
      ...values,
      ...changeParameters(change),
      Object.keys(before),
      JSON.stringify(before),
    ];
    const { columns, placeholders } = this.table.assignments(fields, parameters);
    const event = change.operation === 'restore' ? 'status_page.restored' : 'status_page.created';
    const rows = await this.runner.query<StatusPageDto>(
      `WITH inserted AS (
         INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, ${placeholders})
         ON CONFLICT DO NOTHING
         RETURNING ${this.table.columns}, organization_id, revision
       ), revision AS (${insertRevisions(
         'inserted',
         { changed_fields: '$13::text[]', before: '$14::jsonb' },
         7,
       )}), event AS (${insertPageEvents('inserted', event, 8)}), outdated AS (
         DELETE FROM status_page_revisions
          WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - ${MAX_REVISIONS}
       )
       SELECT ${this.table.columns} FROM inserted`,
      parameters,
      manager,
    );
    return rows[0];
  }
}
