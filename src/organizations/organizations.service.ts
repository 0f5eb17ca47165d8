import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Organization } from './organization.entity.js';

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

  async exists(id: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(Organization, { id });
  }
}
