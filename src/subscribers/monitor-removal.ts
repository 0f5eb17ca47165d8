import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { projectParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';

/** Removes deleted monitors from subscriptions. */
@Injectable()
export class SubscriptionMonitorRemoval implements OnModuleInit {
  constructor(private readonly monitors: MonitorsService) {}

  onModuleInit(): void {
    this.monitors.onDelete((monitor, manager) => this.remove(monitor, manager));
  }

  /**
   * Removes a monitor. A subscription to this monitor only ends, because it would otherwise be about all monitors. Uses
   * `subscribers_monitor_ids_idx`.
   */
  private async remove(monitor: ProjectRef & { id: string }, manager: EntityManager): Promise<void> {
    const rows: { id: string; is_last: boolean }[] = await manager.query(
      `SELECT id, cardinality(monitor_ids) = 1 AS is_last
         FROM subscribers
        WHERE organization_id = $1 AND project_id = $2 AND monitor_ids @> ARRAY[$3::uuid]
        ORDER BY id
          FOR UPDATE`,
      [...projectParameters(monitor), monitor.id],
    );
    const idsOf = (isLast: boolean) => rows.filter(({ is_last }) => is_last === isLast).map(({ id }) => id);
    await manager.query('DELETE FROM subscribers WHERE organization_id = $1 AND id = ANY($2::uuid[])', [
      monitor.organization_id,
      idsOf(true),
    ]);
    await manager.query(
      `UPDATE subscribers
          SET monitor_ids = array_remove(monitor_ids, $3::uuid), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [monitor.organization_id, idsOf(false), monitor.id],
    );
  }
}
