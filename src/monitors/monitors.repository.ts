import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { Monitor } from './monitor.entity.js';

/** The statements on `monitors`. */
@Injectable()
export class MonitorsRepository extends Repository<Monitor> {
  constructor(dataSource: DataSource) {
    super(Monitor, dataSource.manager);
  }

  /** Those of `ids` that are monitors of the project, held against deletion; in the order of ids, against deadlocks. */
  async lock(
    manager: EntityManager,
    project: { organization_id: string; project_id: string },
    ids: string[],
  ): Promise<string[]> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id
         FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[])
        ORDER BY id
          FOR KEY SHARE`,
      [project.organization_id, project.project_id, ids],
    );
    return rows.map(({ id }) => id);
  }
}
