import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OF_PROJECT, projectParameters } from '../../platform/database/own-rows.js';
import type { StatementRunner } from '../../platform/database/statement-runner.js';
import type { MonitorsService } from '../../monitors/monitors.service.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { DeletedPagesService } from './deleted-pages.service.js';
import type { MonitorRemoval } from '../monitor-removal.js';

/** A deleted or restored resource. */
export type Deleted = ProjectRef & { id: string };

/** A table whose rows belong to a project, and have `status_page_ids` and `former_page_ids`. */
interface ReferencingTable {
  name: 'incidents' | 'maintenances';
  /** SQL of the new `updated_at`. */
  nextVersion: string;
  /** SQL condition: the row concerns the monitor $3, and pages without the monitor continue to show it. */
  isKept: string;
  /** Maximum number of `status_page_ids`. */
  maxPages: number;
}

/**
 * Keeps rows consistent with deleted monitors, and with deleted and restored status pages. Locks the rows that are about to change in
 * ID order.
 */
export abstract class PageReferencesRepository implements OnModuleInit {
  constructor(
    protected readonly runner: StatementRunner,
    private readonly monitors: MonitorsService,
    private readonly removal: MonitorRemoval,
    private readonly deletedPages: DeletedPagesService,
    private readonly table: ReferencingTable,
  ) {}

  onModuleInit(): void {
    this.removal.onRemove((monitor, pageIds, manager) => this.keepOnPages(monitor, pageIds, manager));
    this.monitors.onDelete((monitor, manager) => this.removeMonitor(monitor, manager));
    this.deletedPages.register({
      kind: this.table.name,
      remove: (page, manager) => this.removeStatusPage(page, manager),
      add: (page, ids, manager) => this.addStatusPage(page, ids, manager),
    });
  }

  /** Removes a deleted monitor from the rows that reference it. */
  protected abstract removeMonitor(monitor: Deleted, manager: EntityManager): Promise<void>;

  /** Lets pages continue to show the rows of a monitor. Call it before the monitor is removed from the pages. */
  private async keepOnPages(monitor: Deleted, pageIds: string[], manager: EntityManager): Promise<void> {
    const ids = await this.lock(this.table.isKept, monitor, monitor.id, manager);
    const pages = 'ARRAY(SELECT unnest(former_page_ids) UNION SELECT unnest($4::uuid[]))';
    if (ids.length > 0) await this.update(`former_page_ids = ${pages}`, monitor, ids, [pageIds], manager);
  }

  /** Removes a deleted page, and returns the IDs of the rows that referenced it. Uses `<table>_status_page_ids_idx`. */
  private async removeStatusPage(page: Deleted, manager: EntityManager): Promise<string[]> {
    const ids = await this.lock('status_page_ids @> ARRAY[$3::uuid]', page, page.id, manager);
    const pages = 'array_remove(status_page_ids, $4::uuid)';
    await this.update(`status_page_ids = ${pages}`, page, ids, [page.id], manager);
    return ids;
  }

  /**
   * Adds a restored page to the rows that referenced it, unless they now apply to all pages or reference the maximum number of
   * pages.
   */
  private async addStatusPage(page: Deleted, ids: string[], manager: EntityManager): Promise<void> {
    if (ids.length === 0) return;
    const canName = `id = ANY($3::uuid[]) AND cardinality(status_page_ids) < ${this.table.maxPages}`;
    const locked = await this.lock(canName, page, ids, manager);
    const pages = 'array_append(status_page_ids, $4::uuid)';
    await this.update(`status_page_ids = ${pages}`, page, locked, [page.id], manager);
  }

  /**
   * Locks rows of a project, and returns their IDs.
   * @param where a further condition with the parameter $3
   */
  protected async lock(
    where: string,
    project: ProjectRef,
    value: unknown,
    manager: EntityManager,
  ): Promise<string[]> {
    const rows = await this.runner.query<{ id: string }>(
      `SELECT id FROM ${this.table.name} WHERE ${OF_PROJECT} AND ${where} ORDER BY id FOR NO KEY UPDATE`,
      [...projectParameters(project), value],
      manager,
    );
    return rows.map(({ id }) => id);
  }

  /** @param assignments SQL with the parameters `values` from $4 on */
  protected async update(
    assignments: string,
    project: ProjectRef,
    ids: string[],
    values: unknown[],
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE ${this.table.name} SET ${assignments}, updated_at = ${this.table.nextVersion}
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), ids, ...values],
      manager,
    );
  }
}
