import type { INestApplicationContext } from '@nestjs/common';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { Project } from '../projects/project.entity.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CliError } from './cli-error.js';

/** @throws CliError if the organization does not exist */
export async function requireOrganization(app: INestApplicationContext, id: string): Promise<void> {
  if (!(await app.get(OrganizationsService).exists(id)))
    throw new CliError(`organization ${id} does not exist`);
}

/** @throws CliError if the project does not exist */
export async function requireProject(
  app: INestApplicationContext,
  id: string,
): Promise<Pick<Project, 'id' | 'organization_id'>> {
  const project = await app.get(ProjectsService).findForAdministrator(id);
  if (!project) throw new CliError(`project ${id} does not exist`);
  return project;
}
