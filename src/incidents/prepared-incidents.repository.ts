import type { EntityManager } from 'typeorm';
import { OF_PROJECT, projectParameters } from '../platform/database/own-rows.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { TenantRepository } from '../platform/database/tenant-repository.js';
import type { ProjectOwned } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { withoutMonitor } from './incident-updates.repository.js';

/** Reads and writes a table with prepared values of incidents, whose column `monitors` contains affected monitors. */
export abstract class PreparedIncidentsRepository<
  Entity extends ProjectOwned,
  Dto extends object,
> extends TenantRepository<Entity, Dto> {
  /** Locks the rows that affect a monitor, in ID order, and removes the monitor from them. */
  async removeMonitor(monitor: ProjectRef & { id: string }, manager: EntityManager): Promise<void> {
    const affecting = JSON.stringify([{ monitor_id: monitor.id }]);
    const rows = await this.runner.query<{ id: string }>(
      `SELECT id FROM ${this.table.name}
        WHERE ${OF_PROJECT} AND monitors @> $3::jsonb
        ORDER BY id
          FOR NO KEY UPDATE`,
      [...projectParameters(monitor), affecting],
      manager,
    );
    await this.runner.query(
      `UPDATE ${this.table.name}
          SET monitors = ${withoutMonitor('$3')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [monitor.organization_id, rows.map(({ id }) => id), monitor.id],
      manager,
    );
  }
}
