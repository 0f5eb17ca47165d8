import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentApiKey } from '../auth/current-key.js';
import { type ExpectedVersions, notExpected } from '../http/etag.js';
import { Problem } from '../http/problems.js';
import { Monitor } from './monitor.entity.js';
import { type DeletedMonitor, MonitorsRepository } from './monitors.repository.js';

/** What a new monitor is to be. */
export type NewMonitor = Pick<Monitor, 'name'> & Partial<Pick<Monitor, 'description'>>;

/** What else a deletion has to do, in its transaction, once the monitor is gone. */
type OnDelete = (monitor: DeletedMonitor, manager: EntityManager) => Promise<void>;

/** Monitors: what sections of status pages show. */
@Injectable()
export class MonitorsService {
  private readonly onDeletes: OnDelete[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MonitorsRepository,
  ) {}

  /** Makes monitors in a project of the organization, and answers them in the order given. */
  async createIn(
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

  /** Has a module that refers to monitors, which this one knows nothing of, forget one that is deleted. */
  onDelete(listener: OnDelete): void {
    this.onDeletes.push(listener);
  }

  /**
   * Deletes a monitor, and takes it out of whatever shows it, in one transaction.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(key: CurrentApiKey, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const deleted = await this.repository.deleteOwn(key, id, expected, manager);
      if (!deleted) throw (await this.repository.existsOwn(key, id, manager)) ? notExpected() : notFound();
      for (const listener of this.onDeletes) await listener(deleted, manager);
    });
  }
}

// Without the id: what a key may not see is answered byte for byte as what never existed.
function notFound(): Problem {
  return new Problem('not_found', { detail: 'There is no such monitor' });
}
