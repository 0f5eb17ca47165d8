import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { KeyAccess } from '../auth/current-key.js';
import { type OutputRow, type RawJson, toRawJson } from '../database/raw-json.js';
import type { Assignments } from '../database/resource-table.js';
import { StatementRunner } from '../database/statement-runner.js';
import { NEXT_VERSION } from '../database/statements.js';
import type { ExpectedVersions } from '../database/versions.js';
import { ownRow } from '../projects/own-rows.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import {
  authorOf,
  type Author,
  DELETE_OUTDATED,
  insertRevisions,
  lockForPatch,
  MAX_REVISIONS,
  patchWithRevision,
} from './revision-statements.js';
import type { Operation } from './revision.entity.js';
import type { StatusPage } from './status-page.entity.js';
import { OWN, type StatusPagePatch, StatusPagesRepository } from './status-pages.repository.js';

/** A page to insert. Omitted fields get the defaults of their columns. */
export type InsertedPage = Pick<StatusPage, 'id' | 'organization_id' | 'project_id' | 'revision'> &
  Pick<StatusPage, 'created_at' | 'updated_at'> &
  StatusPagePatch;

interface PatchedRow extends OutputRow {
  /** Whether it is time to delete old revisions. */
  has_outdated: boolean;
  revision: number;
}

/** Who changes a page, and how. */
export interface Change {
  operation: Operation;
  author: Author;
}

/** The statements that write status pages. Each writes the revisions of the pages that it changes, too. */
@Injectable()
export class StatusPageWrites {
  /** Statements of updates by their columns: building them takes longer than to look them up. */
  private readonly patches = new Map<string, { lock: string; text: string }>();

  constructor(
    private readonly runner: StatementRunner,
    readonly pages: StatusPagesRepository,
  ) {}

  /**
   * Locks a page, updates it, and writes a revision if a value changes, see {@link patchWithRevision}. After each hundredth,
   * another statement deletes revisions beyond the limit. Returns undefined if the page does not exist or has another version
   * than expected.
   */
  async patch(
    access: KeyAccess,
    id: string,
    patch: StatusPagePatch,
    { operation, author }: Change,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto> | undefined> {
    const own = ownRow(access, id);
    const parameters = [...own, expected ?? null, operation, ...authorOf(author)];
    const changes = this.pages.table.assignments(patch, parameters);
    if (changes.names.length === 0) return this.pages.table.patch(OWN, own, {}, expected, manager);
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
      // Without a transaction, the update is committed. What is left is deleted after a hundred more.
      await (manager ? deleting : deleting.catch(() => undefined));
    }
    return toRawJson(rows);
  }

  private statementsOf(changes: Assignments): { lock: string; text: string } {
    const known = this.patches.get(changes.columns);
    if (known) return known;
    const built = {
      lock: lockForPatch(OWN, changes),
      text: patchWithRevision(OWN, changes, this.pages.table.outputRow()),
    };
    this.patches.set(changes.columns, built);
    return built;
  }

  /**
   * Inserts a page with its first revision, or the next one of a restored page. Returns undefined if its slug or domain is
   * taken.
   * @param before the values of a deleted page that differ from those of `page`
   */
  async insertUnlessTaken(
    page: InsertedPage,
    { operation, author }: Change,
    manager: EntityManager,
    before: StatusPagePatch = {},
  ): Promise<StatusPageDto | undefined> {
    const { id, organization_id, project_id, created_at, updated_at, revision, ...fields } = page;
    const values = [id, organization_id, project_id, created_at, updated_at, revision];
    const parameters: unknown[] = [
      ...values,
      operation,
      ...authorOf(author),
      Object.keys(before),
      JSON.stringify(before),
    ];
    const { columns, placeholders } = this.pages.table.assignments(fields, parameters);
    const rows: StatusPageDto[] = await manager.query(
      `WITH inserted AS (
         INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, ${placeholders})
         ON CONFLICT DO NOTHING
         RETURNING ${this.pages.table.columns}, organization_id, revision
       ), revision AS (${insertRevisions(
         'inserted',
         { changed_fields: '$10::text[]', before: '$11::jsonb' },
         7,
       )}), outdated AS (
         DELETE FROM status_page_revisions
          WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - ${MAX_REVISIONS}
       )
       SELECT ${this.pages.table.columns} FROM inserted`,
      parameters,
    );
    return rows[0];
  }

  /**
   * Deletes a locked page, writes its last revision, and keeps it so that it can be restored.
   * @param namedBy the resources that named the page, by kind
   */
  async deleteOwn(
    access: KeyAccess,
    id: string,
    author: Author,
    { days, namedBy }: { days: number; namedBy: object },
    manager: EntityManager,
  ): Promise<void> {
    const parameters = [...ownRow(access, id), 'delete', ...authorOf(author), JSON.stringify(namedBy), days];
    await manager.query(
      `WITH gone AS (
         DELETE FROM status_pages
          WHERE ${OWN}
         RETURNING ${this.pages.table.columns}, organization_id, revision
       ), deleted AS (
         SELECT ${this.pages.table.columns}, organization_id, revision + 1 AS next_revision, ${NEXT_VERSION} AS deleted_at FROM gone
       ), kept AS (
         INSERT INTO deleted_status_pages (id, organization_id, project_id, name, slug, revision, page, named_by, deleted_at,
                                           restorable_until)
         SELECT id, organization_id, project_id, name, slug, next_revision, ${this.pages.table.json}::jsonb, $7::jsonb, deleted_at,
                deleted_at + make_interval(days => $8)
           FROM deleted
       ), revision AS (${insertRevisions(
         '(SELECT organization_id, id, next_revision AS revision, deleted_at AS updated_at FROM deleted) AS last',
         { changed_fields: `'{}'`, before: `'{}'` },
         4,
       )})
       SELECT id FROM deleted`,
      parameters,
    );
  }
}
