import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { Organization } from './organization.entity.js';

/** Reads and writes the table `organizations`. */
@Injectable()
export class OrganizationsRepository extends Repository<Organization> {
  private readonly table: ResourceTable<Organization, Organization>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Organization, dataSource.manager);
    this.table = new ResourceTable(this, runner, ['id', 'name', 'created_at', 'updated_at']);
  }

  /** Returns all organizations, newest first. Only for the administrator (the CLI). */
  async findNewest(range: Range): Promise<Rows<Organization>> {
    return this.table.list('true', [], range);
  }

  /** Locks an organization. Does not block inserts of rows that reference the organization, and is not blocked by them. */
  async lock(id: string, manager: EntityManager): Promise<void> {
    await manager.query(`SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }
}
