import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Project } from './project.entity.js';

/** Projects: what owns monitors and status pages. */
@Injectable()
export class ProjectsService {
  constructor(private readonly dataSource: DataSource) {}

  /** @param wanted.name 1 to 200 code points */
  async create(
    wanted: Pick<Project, 'organization_id' | 'name'>,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Project> {
    const now = new Date();
    const project = manager.create(Project, { id: uuidv7(), ...wanted, created_at: now, updated_at: now });
    await manager.insert(Project, project);
    return project;
  }

  /** Whether the organization has this project. */
  async exists(organizationId: string, id: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(Project, { organization_id: organizationId, id });
  }

  /** Whether any project was ever made, in whatever organization. */
  async any(): Promise<boolean> {
    return this.dataSource.manager.exists(Project);
  }

  /** The project with this id, of whatever organization: for the administrator (the CLI) only. */
  async findForAdministrator(id: string): Promise<Project | null> {
    return this.dataSource.manager.findOneBy(Project, { id });
  }
}
