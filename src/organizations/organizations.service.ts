import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { newest } from '../database/statements.js';
import { type Page, type PageQuery, resolveCursor, toPage } from '../pagination/page.js';
import { Organization } from './organization.entity.js';

// The list belongs to no tenant.
const LIST = { name: 'organizations', owner_id: '00000000-0000-0000-0000-000000000000' };

/** Organizations, the tenants. Only the administrator (the CLI) makes them. */
@Injectable()
export class OrganizationsService {
  constructor(private readonly dataSource: DataSource) {}

  /** @param name 1 to 200 code points */
  async create(name: string, manager: EntityManager = this.dataSource.manager): Promise<Organization> {
    const now = new Date();
    const organization = manager.create(Organization, {
      id: uuidv7(),
      name,
      created_at: now,
      updated_at: now,
    });
    await manager.insert(Organization, organization);
    return organization;
  }

  /** All organizations, newest first. */
  async list({ limit, cursor }: PageQuery): Promise<Page<Organization>> {
    const after = resolveCursor(LIST, cursor);
    const select = 'SELECT id, name, created_at, updated_at FROM organizations WHERE true';
    const rows: Organization[] = await newest(
      this.dataSource.manager,
      { select, parameters: [] },
      limit + 1,
      after,
    );
    return toPage(LIST, rows, limit);
  }

  async exists(id: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(Organization, { id });
  }
}
