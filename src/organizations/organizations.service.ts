import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import type { Organization } from './organization.entity.js';
import { OrganizationsRepository } from './organizations.repository.js';

// A cursor requires an owner, but this list has no owner.
const LIST = { name: 'organizations', owner_id: '00000000-0000-0000-0000-000000000000' };

/** Manages organizations (tenants). Only the administrator (the CLI) creates and lists them. */
@Injectable()
export class OrganizationsService {
  constructor(private readonly repository: OrganizationsRepository) {}

  /** @param name 1 to 200 code points */
  async create(name: string, manager?: EntityManager): Promise<Organization> {
    return this.repository.insert(uuidv7(), name, manager);
  }

  /** Lists all organizations, newest first. */
  async list(query: ListQuery): Promise<ListPage<Organization>> {
    return readListPage(LIST, query, (range) => this.repository.findNewest(range));
  }

  /** Locks an organization until the transaction ends, to count its rows. Take this lock before locks of these rows. */
  async lock(id: string, manager: EntityManager): Promise<void> {
    await this.repository.lock(id, manager);
  }

  /** Returns an organization, or undefined. */
  async find(id: string): Promise<Organization | undefined> {
    return this.repository.find(id);
  }

  async exists(id: string): Promise<boolean> {
    return this.repository.exists(id);
  }
}
