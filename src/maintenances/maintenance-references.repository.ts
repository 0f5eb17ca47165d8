import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { nextVersion } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import { MonitorRemoval } from '../status-pages/monitor-removal.js';
import {
  type Deleted,
  PageReferencesRepository,
} from '../status-pages/deleted/page-references.repository.js';
import { MAX_STATUS_PAGES } from './dto/maintenance.dto.js';
import { HAS_NOT_ENDED, VERSION } from './maintenance-status.js';

/** Keeps maintenance windows consistent with deleted monitors, and with deleted and restored status pages. */
@Injectable()
export class MaintenanceReferencesRepository extends PageReferencesRepository {
  constructor(
    runner: StatementRunner,
    monitors: MonitorsService,
    removal: MonitorRemoval,
    deletedPages: DeletedPagesService,
  ) {
    super(runner, monitors, removal, deletedPages, {
      name: 'maintenances',
      nextVersion: nextVersion(VERSION),
      isKept: `monitor_ids @> ARRAY[$3::uuid] AND status_page_ids IS NULL AND ${HAS_NOT_ENDED}`,
      maxPages: MAX_STATUS_PAGES,
    });
  }

  /**
   * If it was the only monitor of a window with `status_page_ids` null, these become empty. Otherwise, the window would from then on
   * appear on every page of the project. Uses `maintenances_monitor_ids_idx`.
   */
  protected override async removeMonitor(monitor: Deleted, manager: EntityManager): Promise<void> {
    const ids = await this.lock('monitor_ids @> ARRAY[$3::uuid]', monitor, monitor.id, manager);
    const isOnly = 'status_page_ids IS NULL AND monitor_ids = ARRAY[$4::uuid]';
    const assignments = `monitor_ids = array_remove(monitor_ids, $4::uuid),
              status_page_ids = CASE WHEN ${isOnly} THEN '{}' ELSE status_page_ids END`;
    await this.update(assignments, monitor, ids, [monitor.id], manager);
  }
}
