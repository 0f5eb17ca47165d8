import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { Organization } from './organization.entity.js';

/** Reads and writes the table `organizations`. */
@Injectable()
export class OrganizationsRepository {
  private readonly table: ResourceTable<Organization, Organization>;

  constructor(
    @InjectRepository(Organization) repository: Repository<Organization>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, ['id', 'name', 'created_at', 'updated_at']);
  }

  /** Returns all organizations, newest first. Only for the administrator (the CLI). */
  async findNewest(range: Range): Promise<Rows<Organization>> {
    return this.table.list('true', [], range);
  }

  async insert(id: string, name: string, manager?: EntityManager): Promise<Organization> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    return this.table.insert({ id, created_at: now, updated_at: now }, { name }, manager);
  }

  async find(id: string): Promise<Organization | undefined> {
    const [organization] = await this.runner.read<Organization>(
      'SELECT id, name, created_at, updated_at FROM organizations WHERE id = $1',
      [id],
    );
    return organization;
  }

  async exists(id: string): Promise<boolean> {
    return (await this.runner.read('SELECT FROM organizations WHERE id = $1', [id])).length > 0;
  }

  /** Locks an organization. Does not block inserts of rows that reference the organization, and is not blocked by them. */
  async lock(id: string, manager: EntityManager): Promise<void> {
    await this.runner.query(`SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, [id], manager);
  }
}
