import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { projectParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import { MonitorRemoval } from '../status-pages/monitor-removal.js';
import { MAX_STATUS_PAGES } from './dto/incident.dto.js';
import { IncidentUpdatesRepository, withoutMonitor } from './incident-updates.repository.js';

/** A deleted or restored resource. */
type Deleted = ProjectRef & { id: string };

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';

/** Keeps incidents consistent with deleted monitors, and with deleted and restored status pages. */
@Injectable()
export class IncidentReferencesRepository implements OnModuleInit {
  constructor(
    private readonly updates: IncidentUpdatesRepository,
    private readonly monitors: MonitorsService,
    private readonly removal: MonitorRemoval,
    private readonly deletedPages: DeletedPagesService,
  ) {}

  onModuleInit(): void {
    this.removal.onRemove((monitor, pageIds, manager) => this.keepOnPages(monitor, pageIds, manager));
    this.monitors.onDelete(async (monitor, manager) => {
      await this.removeMonitor(monitor, manager);
      await this.updates.removeMonitor(monitor, manager);
    });
    this.deletedPages.register({
      kind: 'incidents',
      remove: (page, manager) => this.removeStatusPage(page, manager),
      add: (page, ids, manager) => this.addStatusPage(page, ids, manager),
    });
  }

  /**
   * Locks the incidents whose updates reference a monitor, in ID order, and removes the monitor from them.
   * `incident_updates_monitors_idx` finds them, because an incident affects only monitors that its updates reference.
   */
  private async removeMonitor(monitor: Deleted, manager: EntityManager): Promise<void> {
    const naming = JSON.stringify([{ monitor_id: monitor.id }]);
    const isNaming = `id IN (
      SELECT incident_id FROM incident_updates WHERE organization_id = $1 AND monitors @> $3::jsonb
    )`;
    const ids = await this.lock(isNaming, [...projectParameters(monitor), naming], manager);
    await manager.query(
      `UPDATE incidents
          SET monitors = ${withoutMonitor('$3')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND monitors @> $4::jsonb`,
      [monitor.organization_id, ids, monitor.id, naming],
    );
  }

  /**
   * Lets pages continue to show the open incidents that affect a monitor, before it is removed from the pages. Locks the incidents in
   * ID order.
   */
  private async keepOnPages(monitor: Deleted, pageIds: string[], manager: EntityManager): Promise<void> {
    const isOpen = `resolved_at IS NULL AND id IN (
      SELECT incident_id FROM incident_impacts WHERE organization_id = $1 AND monitor_id = $3
    )`;
    const ids = await this.lock(isOpen, [...projectParameters(monitor), monitor.id], manager);
    if (ids.length === 0) return;
    await manager.query(
      `UPDATE incidents
          SET former_page_ids = ARRAY(SELECT unnest(former_page_ids) UNION SELECT unnest($3::uuid[])),
              updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [monitor.organization_id, ids, pageIds],
    );
  }

  /** Removes a status page from the incidents that reference it, and returns their IDs. Locks them in ID order. */
  private async removeStatusPage(page: Deleted, manager: EntityManager): Promise<string[]> {
    const { id, organization_id } = page;
    const ids = await this.lock(
      'status_page_ids @> ARRAY[$3::uuid]',
      [...projectParameters(page), id],
      manager,
    );
    await manager.query(
      `UPDATE incidents
          SET status_page_ids = array_remove(status_page_ids, $3::uuid), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [organization_id, ids, id],
    );
    return ids;
  }

  /**
   * Adds a restored status page to the incidents that referenced it, unless they now apply to all pages or reference the
   * maximum number of pages. Locks them in ID order.
   */
  private async addStatusPage(page: Deleted, ids: string[], manager: EntityManager): Promise<void> {
    if (ids.length === 0) return;
    const { id, organization_id } = page;
    const canName = `id = ANY($3::uuid[]) AND cardinality(status_page_ids) < ${MAX_STATUS_PAGES}`;
    const locked = await this.lock(canName, [...projectParameters(page), ids], manager);
    await manager.query(
      `UPDATE incidents
          SET status_page_ids = array_append(status_page_ids, $3::uuid), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [organization_id, locked, id],
    );
  }

  /**
   * Locks the incidents of a project that are about to change, in ID order, and returns their IDs.
   * @param where a further condition, with parameters from $3 on
   */
  private async lock(where: string, values: unknown[], manager: EntityManager): Promise<string[]> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM incidents WHERE ${OF_PROJECT} AND ${where} ORDER BY id FOR NO KEY UPDATE`,
      values,
    );
    return rows.map(({ id }) => id);
  }
}
