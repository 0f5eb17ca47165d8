import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { Organization } from './organization.entity.js';

/** The queries on the table `organizations`. */
@Injectable()
export class OrganizationsRepository extends Repository<Organization> {
  private readonly table: ResourceTable<Organization, Organization>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Organization, dataSource.manager);
    this.table = new ResourceTable(this, runner, ['id', 'name', 'created_at', 'updated_at']);
  }

  /** All organizations, newest first. For the administrator (the CLI) only. */
  async findNewest(range: Range): Promise<Rows<Organization>> {
    return this.table.list('true', [], range);
  }

  /** Does not wait for inserts of rows that reference the organization, nor do they wait. */
  async lock(id: string, manager: EntityManager): Promise<void> {
    await manager.query(`SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }
}
