import { Injectable } from '@nestjs/common';
import { BrandingService } from '../branding/branding.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Outgoing } from '../deliveries/outgoing.repository.js';
import type { OpenDraft } from '../incidents/drafts/incident-drafts.repository.js';
import { IncidentDraftsService } from '../incidents/drafts/incident-drafts.service.js';
import { IncidentListsService } from '../incidents/incident-lists.service.js';
import type { OpenIncident } from '../incidents/incidents.repository.js';
import { MaintenanceListsService } from '../maintenances/maintenance-lists.service.js';
import type { PlannedMaintenance } from '../maintenances/maintenances.repository.js';
import type { Actor } from '../platform/auth/actor.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { type OwnMonitor, type OwnProject, ProjectContents } from './project-contents.js';

/** Maximum number of incidents of a project that the screen shows. The list has all. */
const MAX_INCIDENTS = 20;
/** Maximum number of drafts of a project that the screen shows. */
const MAX_DRAFTS = 10;
/** Maximum number of windows of a project that the screen shows. */
const MAX_WINDOWS = 10;

/** Current state of a project. */
export interface ProjectNow {
  project: OwnProject;
  /** Newest first; `total` of each is the number of all. */
  incidents: OpenIncident[];
  /** First to start; `total` of each is the number of all. */
  windows: PlannedMaintenance[];
  /** Newest first; `total` of each is the number of all. */
  drafts: OpenDraft[];
  monitors: Pick<OwnMonitor, 'id' | 'name' | 'status'>[];
  /** Time zone of the oldest page. */
  zone: string;
}

/** Current state of all projects of a member. */
export interface Now {
  projects: ProjectNow[];
  hasMoreProjects: boolean;
  outgoing: Outgoing[];
}

/** Reads what happens now, for the first screen, by a number of statements that does not depend on the number of projects. */
@Injectable()
export class NowService {
  constructor(
    private readonly contents: ProjectContents,
    private readonly incidents: IncidentListsService,
    private readonly drafts: IncidentDraftsService,
    private readonly maintenances: MaintenanceListsService,
    private readonly pageLookup: PageLookupService,
    private readonly branding: BrandingService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Reads one after the other, so that a screen does not take several connections. */
  async read(actor: Actor): Promise<Now> {
    const { projects, hasMore } = await this.contents.projects(actor);
    const ids = projects.map(({ id }) => id);
    const incidents = byProject(await this.incidents.open(actor, ids, MAX_INCIDENTS));
    const windows = byProject(await this.maintenances.planned(actor, ids, MAX_WINDOWS));
    const drafts = byProject(await this.drafts.ofProjects(actor, ids, MAX_DRAFTS));
    const monitors = byProject(await this.contents.monitorsOf(actor, ids));
    const zones = await this.zonesOf(actor, ids);
    return {
      projects: projects.map((project) => ({
        project,
        incidents: incidents.get(project.id) ?? [],
        windows: windows.get(project.id) ?? [],
        drafts: drafts.get(project.id) ?? [],
        monitors: monitors.get(project.id) ?? [],
        zone: zones.get(project.id) ?? 'UTC',
      })),
      hasMoreProjects: hasMore,
      outgoing: await this.deliveries.countOutgoing(actor),
    };
  }

  /** Returns the time zones of the oldest pages of projects, by project. */
  private async zonesOf(actor: Actor, projectIds: string[]): Promise<Map<string, string>> {
    const pages = await this.pageLookup.oldestOf(actor, projectIds);
    const zones = await this.branding.timeZonesOf(
      actor.organization_id,
      pages.map(({ id }) => id),
    );
    return new Map(pages.map(({ id, project_id }) => [project_id, zones.get(id) ?? 'UTC']));
  }
}

/** Groups resources by their projects. */
function byProject<Own extends { project_id: string }>(all: readonly Own[]): Map<string, Own[]> {
  const groups = new Map<string, Own[]>();
  for (const one of all) {
    const group = groups.get(one.project_id);
    if (group) group.push(one);
    else groups.set(one.project_id, [one]);
  }
  return groups;
}
