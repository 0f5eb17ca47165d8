import type { INestApplicationContext } from '@nestjs/common';
import type { Incident } from '../incidents/incident.entity.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import type { Monitor } from '../monitors/monitor.entity.js';
import { MonitorsService } from '../monitors/monitors.service.js';
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
export async function requireProject(app: INestApplicationContext, id: string): Promise<Project> {
  const project = await app.get(ProjectsService).findForAdministrator(id);
  if (!project) throw new CliError(`project ${id} does not exist`);
  return project;
}

/** @throws CliError if the monitor does not exist */
export async function requireMonitor(app: INestApplicationContext, id: string): Promise<Monitor> {
  const monitor = await app.get(MonitorsService).findForAdministrator(id);
  if (!monitor) throw new CliError(`monitor ${id} does not exist`);
  return monitor;
}

/** @throws CliError if the incident does not exist */
export async function requireIncident(app: INestApplicationContext, id: string): Promise<Incident> {
  const incident = await app.get(IncidentsService).findForAdministrator(id);
  if (!incident) throw new CliError(`incident ${id} does not exist`);
  return incident;
}
