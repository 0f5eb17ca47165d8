import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { MonitorRemovalRepository } from './monitor-removal.repository.js';

/** Number of pages per transaction. Updates of these pages wait for it. */
const BATCH_SIZE = 100;

export interface RemovedMonitor {
  id: string;
  organization_id: string;
  project_id: string;
}

/** Runs in the transaction that removes a monitor from locked pages. */
export type RemovalListener = (
  monitor: RemovedMonitor,
  pageIds: string[],
  manager: EntityManager,
) => Promise<void>;

/** Removes a monitor from the sections of the pages that show it. */
@Injectable()
export class MonitorRemoval {
  private readonly listeners: RemovalListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MonitorRemovalRepository,
  ) {}

  /** Registers a listener of another module. */
  onRemove(listener: RemovalListener): void {
    this.listeners.push(listener);
  }

  /**
   * Prepares the deletion of a monitor that is on many pages. Removes it in short transactions from all pages except the last
   * few, which {@link remove} changes. Clients can still add the monitor to pages in the meantime. After a failure, a repeated
   * call continues where the last one stopped.
   */
  async prepare(monitor: RemovedMonitor, actor: Actor): Promise<void> {
    for (;;) {
      const ids = await this.repository.findShowing(monitor);
      if (ids.length <= BATCH_SIZE) return;
      for (let start = 0; start < ids.length; start += BATCH_SIZE) {
        const batch = ids.slice(start, start + BATCH_SIZE);
        await this.dataSource.transaction((manager) => this.remove(monitor, actor, manager, batch));
      }
    }
  }

  /**
   * Removes a monitor from all sections of its project, and writes a revision for each changed page.
   * @param batch if given, changes only these pages
   */
  async remove(
    monitor: RemovedMonitor,
    actor: Actor,
    manager: EntityManager,
    batch?: string[],
  ): Promise<void> {
    const ids = await this.repository.lockShowing(monitor, manager, batch);
    if (ids.length === 0) return;
    for (const listener of this.listeners) await listener(monitor, ids, manager);
    await this.repository.remove(monitor, ids, actor, manager);
  }
}
