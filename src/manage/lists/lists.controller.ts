import { Controller } from '@nestjs/common';
import { BrandingService } from '../../branding/branding.service.js';
import { IncidentListsService } from '../../incidents/incident-lists.service.js';
import { MaintenanceListsService } from '../../maintenances/maintenance-lists.service.js';
import { PageLookupService } from '../../status-pages/page-lookup.service.js';
import { partOf, rangeIn } from '../pager.js';
import { ProjectChoice } from '../project-choice.js';
import { ProjectContents } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { renderIncidents, renderMaintenances, type State, STATES } from './list-page.js';

/** Number of incidents or windows that a screen lists. */
const ROWS = 20;

/** Lists all incidents and maintenance windows of a project, by the services of the API. */
@Controller('manage')
export class ListScreensController {
  constructor(
    private readonly incidents: IncidentListsService,
    private readonly maintenances: MaintenanceListsService,
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly pages: PageLookupService,
    private readonly branding: BrandingService,
  ) {}

  @Screen('incidents', 'incidents:read')
  async listIncidents(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, '/manage/incidents', async (project_id) => {
      const state = STATES.find((one) => one === visit.query.get('state')) ?? 'all';
      const query = { project_id, ...rangeIn(visit, ROWS), ...openOf(state) };
      const found = await this.incidents.list(visit.actor, query);
      const head = await this.headOf(visit, project_id);
      return renderIncidents(visit, { ...head, ...partOf(found), state });
    });
  }

  @Screen('maintenances', 'maintenances:read')
  async listMaintenances(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, '/manage/maintenances', async (project_id) => {
      const found = await this.maintenances.list(visit.actor, { project_id, ...rangeIn(visit, ROWS) });
      const head = await this.headOf(visit, project_id);
      return renderMaintenances(visit, { ...head, ...partOf(found) });
    });
  }

  /** Returns the project, and the time zone of its oldest page. */
  private async headOf({ actor }: Visit, projectId: string) {
    const project = await this.contents.project(actor, projectId);
    const ids = (await this.pages.oldestOf(actor, [projectId])).map(({ id }) => id);
    const zones = await this.branding.timeZonesOf(actor.organization_id, ids);
    return { project, zone: zones.get(ids[0] ?? '') ?? 'UTC' };
  }
}

function openOf(state: State): { open?: boolean } {
  return state === 'all' ? {} : { open: state === 'open' };
}
