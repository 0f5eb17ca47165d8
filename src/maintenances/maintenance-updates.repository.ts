import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { MaintenanceUpdateDto } from './dto/maintenance-update.dto.js';
import { MaintenanceUpdate } from './maintenance-update.entity.js';

/** Maintenance window of an update. Find or lock the window first, because these queries do not check access. */
interface MaintenanceRef {
  organization_id: string;
  id: string;
}

/** An update of a new maintenance window. */
export type NewMaintenanceUpdate = Pick<MaintenanceUpdate, 'body' | 'posted_at'> &
  Partial<Pick<MaintenanceUpdate, 'id'>>;

const OF_MAINTENANCE = 'organization_id = $1 AND maintenance_id = $2';
const ONE = `${OF_MAINTENANCE} AND id = $3`;

/** Number of updates that one statement of a list reads. An update can have 40,000 bytes. */
const BATCH_SIZE = 50;

/** Reads and writes the table `maintenance_updates`. */
@Injectable()
export class MaintenanceUpdatesRepository {
  private readonly table: ResourceTable<MaintenanceUpdate, MaintenanceUpdateDto>;

  constructor(
    @InjectRepository(MaintenanceUpdate) repository: Repository<MaintenanceUpdate>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, [
      'id',
      'body',
      'posted_at',
      'maintenance_id',
      'created_at',
      'updated_at',
    ]);
  }

  /** Returns the updates of a maintenance window, newest first. Uses `maintenance_updates_list_idx`. */
  async findNewest(
    { organization_id, id }: MaintenanceRef,
    range: Range,
  ): Promise<Rows<MaintenanceUpdateDto>> {
    return this.table.list(OF_MAINTENANCE, [organization_id, id], range, BATCH_SIZE);
  }

  async findOf(
    { organization_id, id }: MaintenanceRef,
    updateId: string,
    manager?: EntityManager,
  ): Promise<RawJson<MaintenanceUpdateDto> | undefined> {
    return this.table.find(ONE, [organization_id, id, updateId], manager);
  }

  /** Returns the number of updates of a locked maintenance window, and when the last one was created. */
  async countOf(
    { organization_id, id }: MaintenanceRef,
    manager: EntityManager,
  ): Promise<{ count: number; last: Date | null }> {
    const rows = await this.runner.read<{ count: number; last: Date | null }>(
      `SELECT count(*)::int AS count, max(created_at) AS last FROM maintenance_updates WHERE ${OF_MAINTENANCE}`,
      [organization_id, id],
      manager,
    );
    return rows[0] ?? { count: 0, last: null };
  }

  /** Inserts the updates of a new maintenance window, in the order of creation. */
  async insertAll(
    { organization_id, id: maintenance_id }: MaintenanceRef,
    updates: NewMaintenanceUpdate[],
    manager: EntityManager,
  ): Promise<void> {
    const now = Date.now();
    const rows = updates.map(({ id = uuidv7(), ...update }, index) => {
      // One millisecond apart, so that lists keep the order of creation.
      const created_at = new Date(now - (updates.length - 1 - index));
      return { ...update, id, organization_id, maintenance_id, created_at, updated_at: created_at };
    });
    await this.table.insertAll(rows, manager);
  }

  /** Inserts an update of a locked maintenance window. */
  async insert(update: Omit<MaintenanceUpdate, 'maintenance'>, manager: EntityManager): Promise<void> {
    await this.table.insertAll([update], manager);
  }

  /** Changes an update of a locked maintenance window. Its version increases only if a value changes. */
  async patch(
    { organization_id, id }: MaintenanceRef,
    updateId: string,
    patch: Partial<Pick<MaintenanceUpdate, 'body' | 'posted_at'>>,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<MaintenanceUpdateDto> | undefined> {
    return this.table.patch(ONE, [organization_id, id, updateId], patch, expected, manager);
  }

  /** Deletes an update of a locked maintenance window. Returns false if there is none of the expected version. */
  async deleteOf(
    { organization_id, id }: MaintenanceRef,
    updateId: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<boolean> {
    const values = [organization_id, id, updateId];
    return this.table.delete(ONE, values, expected, manager);
  }
}
