import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Monitor } from './monitor.entity.js';
import { MonitorsRepository } from './monitors.repository.js';

/** What a new monitor is to be. */
export type NewMonitor = Pick<Monitor, 'name'> & Partial<Pick<Monitor, 'description'>>;

/** Monitors: what sections of status pages show. */
@Injectable()
export class MonitorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MonitorsRepository,
  ) {}

  /** Makes monitors in a project of the organization, and answers them in the order given. */
  async create(
    project: { organization_id: string; project_id: string },
    wanted: NewMonitor[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Monitor[]> {
    const now = new Date();
    const monitors = wanted.map(({ name, description = '' }) =>
      manager.create(Monitor, {
        id: uuidv7(),
        ...project,
        name,
        description,
        created_at: now,
        updated_at: now,
      }),
    );
    if (monitors.length > 0) await manager.insert(Monitor, monitors);
    return monitors;
  }

  /**
   * Which of `ids` are monitors of the project. They cannot be deleted until the transaction of `manager` ends,
   * so that what it writes with them stays true.
   */
  async lock(
    manager: EntityManager,
    project: { organization_id: string; project_id: string },
    ids: string[],
  ): Promise<Set<string>> {
    return new Set(await this.repository.lock(manager, project, ids));
  }
}
