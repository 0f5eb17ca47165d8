import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import { MonitorRemoval } from '../status-pages/monitor-removal.js';
import {
  type Deleted,
  PageReferencesRepository,
} from '../status-pages/deleted/page-references.repository.js';
import { MAX_STATUS_PAGES } from './dto/incident.dto.js';
import { IncidentUpdatesRepository, withoutMonitor } from './incident-updates.repository.js';

/** Keeps incidents consistent with deleted monitors, and with deleted and restored status pages. */
@Injectable()
export class IncidentReferencesRepository extends PageReferencesRepository {
  constructor(
    runner: StatementRunner,
    monitors: MonitorsService,
    removal: MonitorRemoval,
    deletedPages: DeletedPagesService,
    private readonly updates: IncidentUpdatesRepository,
  ) {
    super(runner, monitors, removal, deletedPages, {
      name: 'incidents',
      nextVersion: NEXT_VERSION,
      isKept: `resolved_at IS NULL AND id IN (
        SELECT incident_id FROM incident_impacts WHERE organization_id = $1 AND monitor_id = $3)`,
      maxPages: MAX_STATUS_PAGES,
    });
  }

  /** `incident_updates_monitors_idx` finds the incidents, because they affect only monitors that their updates reference. */
  protected override async removeMonitor(monitor: Deleted, manager: EntityManager): Promise<void> {
    const naming = JSON.stringify([{ monitor_id: monitor.id }]);
    const isNaming = `id IN (
      SELECT incident_id FROM incident_updates WHERE organization_id = $1 AND monitors @> $3::jsonb)`;
    const ids = await this.lock(isNaming, monitor, naming, manager);
    await this.runner.query(
      `UPDATE incidents
          SET monitors = ${withoutMonitor('$3')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND monitors @> $4::jsonb`,
      [monitor.organization_id, ids, monitor.id, naming],
      manager,
    );
    await this.updates.removeMonitor(monitor, manager);
  }
}
