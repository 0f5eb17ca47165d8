import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nextVersion } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { projectParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import { MonitorRemoval } from '../status-pages/monitor-removal.js';
import { MAX_STATUS_PAGES } from './dto/maintenance.dto.js';
import { HAS_NOT_ENDED, VERSION } from './maintenance-status.js';

/** A deleted or restored resource. */
type Deleted = ProjectRef & { id: string };

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';

/** Keeps maintenance windows consistent with deleted monitors, and with deleted and restored status pages. */
@Injectable()
export class MaintenanceReferencesRepository implements OnModuleInit {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly removal: MonitorRemoval,
    private readonly deletedPages: DeletedPagesService,
  ) {}

  onModuleInit(): void {
    this.removal.onRemove((monitor, pageIds, manager) => this.keepOnPages(monitor, pageIds, manager));
    this.monitors.onDelete((monitor, manager) => this.removeMonitor(monitor, manager));
    this.deletedPages.register({
      kind: 'maintenances',
      remove: (page, manager) => this.removeStatusPage(page, manager),
      add: (page, ids, manager) => this.addStatusPage(page, ids, manager),
    });
  }

  /**
   * Removes a deleted monitor. If it was the only monitor of a window with `status_page_ids` null, these become empty. Otherwise,
   * the window would from then on appear on every page of the project. Uses `maintenances_monitor_ids_idx`.
   */
  private async removeMonitor(monitor: Deleted, manager: EntityManager): Promise<void> {
    const isOnly = 'status_page_ids IS NULL AND monitor_ids = ARRAY[$4::uuid]';
    const pages = `CASE WHEN ${isOnly} THEN '{}' ELSE status_page_ids END`;
    await this.removeFrom('monitor_ids', monitor, manager, `, status_page_ids = ${pages}`);
  }

  /**
   * Lets pages continue to show the windows of a monitor that have not ended, unless they name their pages. Call it before the monitor
   * is removed from the pages.
   */
  private async keepOnPages(monitor: Deleted, pageIds: string[], manager: EntityManager): Promise<void> {
    const isKept = `monitor_ids @> ARRAY[$3::uuid] AND status_page_ids IS NULL AND ${HAS_NOT_ENDED}`;
    const ids = await this.lock(isKept, [...projectParameters(monitor), monitor.id], manager);
    if (ids.length === 0) return;
    await manager.query(
      `UPDATE maintenances
          SET former_page_ids = ARRAY(SELECT unnest(former_page_ids) UNION SELECT unnest($4::uuid[])),
              updated_at = ${nextVersion(VERSION)}
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(monitor), ids, pageIds],
    );
  }

  /** Removes a deleted page, and returns the IDs of the windows that referenced it. Uses `maintenances_status_page_ids_idx`. */
  private async removeStatusPage(page: Deleted, manager: EntityManager): Promise<string[]> {
    return this.removeFrom('status_page_ids', page, manager);
  }

  /**
   * Adds a restored page to the windows that referenced it, unless they now apply to all pages or reference the maximum number
   * of pages.
   */
  private async addStatusPage(
    { id, ...project }: Deleted,
    ids: string[],
    manager: EntityManager,
  ): Promise<void> {
    if (ids.length === 0) return;
    const canName = `id = ANY($3::uuid[]) AND cardinality(status_page_ids) < ${MAX_STATUS_PAGES}`;
    const locked = await this.lock(canName, [...projectParameters(project), ids], manager);
    await manager.query(
      `UPDATE maintenances
          SET status_page_ids = array_append(status_page_ids, $4::uuid), updated_at = ${nextVersion(VERSION)}
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), locked, id],
    );
  }

  /**
   * Returns the IDs of the changed rows.
   * @param assignments SQL of further assignments, in which $4 is the ID
   */
  private async removeFrom(
    column: 'monitor_ids' | 'status_page_ids',
    { id, ...project }: Deleted,
    manager: EntityManager,
    assignments = '',
  ): Promise<string[]> {
    const ids = await this.lock(`${column} @> ARRAY[$3::uuid]`, [...projectParameters(project), id], manager);
    await manager.query(
      `UPDATE maintenances
          SET ${column} = array_remove(${column}, $4::uuid), updated_at = ${nextVersion(VERSION)}${assignments}
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), ids, id],
    );
    return ids;
  }

  /**
   * Locks the maintenance windows of a project that are about to change, in ID order, and returns their IDs.
   * @param where a further condition, with parameters from $3 on
   */
  private async lock(where: string, values: unknown[], manager: EntityManager): Promise<string[]> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM maintenances WHERE ${OF_PROJECT} AND ${where} ORDER BY id FOR NO KEY UPDATE`,
      values,
    );
    return rows.map(({ id }) => id);
  }
}
