import { Injectable } from '@nestjs/common';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import type { IncidentDto } from './dto/incident.dto.js';
import type { ListFilter, ListIncidentsQuery } from './dto/list-incidents.query.js';
import { type IncidentFilter, IncidentsRepository, type OpenIncident } from './incidents.repository.js';

/** Lists the incidents of a project, of a status page or of a monitor. */
@Injectable()
export class IncidentListsService {
  constructor(
    private readonly repository: IncidentsRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly pageLookup: PageLookupService,
  ) {}

  /**
   * Lists the incidents of a project that meet all conditions of the query, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the project, or if the status page or the monitor is not in it; 400
   * `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListIncidentsQuery): Promise<ListPage<IncidentDto>> {
    return this.projects.listOf(access, listName(query), query, async (project, range) =>
      this.repository.findMatching(project, await this.filterOf(project, query), range),
    );
  }

  /**
   * Returns the newest open incidents of each project.
   * @param projectIds projects; those that the actor cannot access are left out
   * @param limit per project
   */
  async open(access: ActorAccess, projectIds: string[], limit: number): Promise<OpenIncident[]> {
    return this.repository.findOpen(access, projectIds, limit);
  }

  /** @throws Problem 404 `not_found` if the status page or the monitor is not in the project */
  private async filterOf(
    project: ProjectRef,
    { open, status_page_id, monitor_id }: ListFilter,
  ): Promise<IncidentFilter> {
    const page = status_page_id && {
      id: status_page_id,
      monitor_ids: await this.pageLookup.monitorIdsOf(project, status_page_id),
    };
    if (monitor_id)
      await this.monitors.projectOf({ ...project, project_ids: [project.project_id] }, monitor_id);
    return { ...(open !== undefined && { open }), ...(page && { page }), ...(monitor_id && { monitor_id }) };
  }
}

/** Returns the name of the list with a filter, so that its cursors are invalid for the lists with other filters. */
function listName({ open, status_page_id, monitor_id }: ListFilter): string {
  const state = open === undefined ? '' : open ? '_open' : '_resolved';
  const page = status_page_id ? `_page_${status_page_id}` : '';
  const monitor = monitor_id ? `_monitor_${monitor_id}` : '';
  return `incidents${state}${page}${monitor}`;
}
