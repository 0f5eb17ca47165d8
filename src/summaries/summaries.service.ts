import { Injectable } from '@nestjs/common';
import type { ActorAccess } from '../platform/auth/actor.js';
import { PageUrls } from '../domains/page-urls.js';
import { DaysService, type Snapshot } from './days/days.service.js';
import { noSeconds, observedIn, type Seconds, uptimeOf } from './days/uptime.js';
import { ShownIncidentsService } from '../incidents/shown/shown-incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { worstIn } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import type { Section } from '../status-pages/status-page.entity.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { StatusesService } from './statuses/statuses.service.js';
import type {
  MonitorSummaryDto,
  OpenIncidentDto,
  SectionSummaryDto,
  UpcomingMaintenanceDto,
} from './dto/page-parts.dto.js';
import type { StatusPageSummaryDto } from './dto/status-page-summary.dto.js';
import { headlineOf, headlineText } from './headline.js';
import { countsOf } from './status-counts.js';

/** Maximum time until the start of the maintenance windows that are shown, in milliseconds. */
export const AHEAD_MS = 30 * 86_400_000;

/** Fields of a page that its summary depends on. */
export type SummarizedPage = Pick<
  StatusPageDto,
  'id' | 'name' | 'slug' | 'history_days' | 'sections' | 'project_id'
>;

/** Returns the current summaries of status pages. */
@Injectable()
export class SummariesService {
  constructor(
    private readonly statusPages: StatusPagesService,
    private readonly monitors: MonitorsService,
    private readonly statuses: StatusesService,
    private readonly days: DaysService,
    private readonly incidents: ShownIncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly urls: PageUrls,
  ) {}

  /**
   * Returns the current summary of a page, read in one snapshot. The cost depends on the number of monitors, not of reports.
   * @throws Problem 404 `not_found`
   */
  async get(access: ActorAccess, id: string): Promise<StatusPageSummaryDto> {
    return this.days.readSnapshot(async (snapshot) => {
      const json = await this.statusPages.get(access, id, snapshot.manager);
      const now = new Date();
      const page: SummarizedPage = JSON.parse(String(json.text));
      const ids = monitorIdsOf(page);
      const sums = await this.days.sumsOf(access.organization_id, ids, page.history_days, now, snapshot);
      return { url: this.urls.of(page), ...(await this.summarize(access, page, sums, now, snapshot)) };
    });
  }

  /**
   * Returns the summary of a page at `now`, for a caller that has read the page and the seconds of its monitors in the same
   * snapshot.
   * @param sums the seconds in the last `history_days` days
   */
  async summarize(
    access: ActorAccess,
    page: SummarizedPage,
    sums: ReadonlyMap<string, Seconds>,
    now: Date,
    snapshot: Snapshot,
  ): Promise<Omit<StatusPageSummaryDto, 'url'>> {
    const { id } = page;
    const project = { organization_id: access.organization_id, project_id: page.project_id };
    const ids = monitorIdsOf(page);
    const names = ids.length === 0 ? [] : await this.monitors.namesOf(project, ids, snapshot.manager);
    const { counts, sections } = await this.summarizeMonitors(project, page, names, sums, now, snapshot);
    const incidents = await this.incidentsOf(project, id, ids, now, snapshot);
    const { status, kind } = headlineOf(counts, incidents);
    return {
      status_page_id: id,
      name: page.name,
      slug: page.slug,
      as_of: now,
      history_days: page.history_days,
      status: worstIn(counts),
      headline: { status, text: headlineText({ kind }, incidents.length) },
      counts,
      sections,
      incidents,
      maintenances: await this.maintenancesOf(project, id, ids, now, snapshot),
    };
  }

  /**
   * Returns only the monitors of the summary of a page, for a caller that has read their names, and reads incidents and maintenance
   * windows in its own form.
   */
  async summarizeMonitors(
    { organization_id }: Pick<ProjectRef, 'organization_id'>,
    page: Pick<SummarizedPage, 'sections'>,
    names: Iterable<Pick<MonitorSummaryDto, 'name' | 'description'> & { id: string }>,
    sums: ReadonlyMap<string, Seconds>,
    now: Date,
    { manager }: Snapshot,
  ): Promise<Pick<StatusPageSummaryDto, 'counts' | 'sections'>> {
    const ids = monitorIdsOf(page);
    const statuses =
      ids.length === 0 ? [] : await this.statuses.statusesOf(organization_id, ids, now, manager);
    const statusOf = new Map(statuses.map(({ monitor_id, status }) => [monitor_id, status]));
    const monitors = new Map<string, MonitorSummaryDto>();
    for (const { id, name, description } of names) {
      const seconds = sums.get(id) ?? noSeconds();
      const status = statusOf.get(id) ?? 'unknown';
      const observed_seconds = observedIn(seconds);
      const uptime = uptimeOf(seconds);
      monitors.set(id, { monitor_id: id, name, description, status, uptime, observed_seconds });
    }
    const counts = countsOf([...monitors.values()].map(({ status }) => status));
    return { counts, sections: page.sections.map((section) => summaryOf(section, monitors)) };
  }

  /** Returns the open incidents of a page, with only the page's monitors. */
  private async incidentsOf(
    project: ProjectRef,
    pageId: string,
    monitorIds: string[],
    now: Date,
    { manager }: Snapshot,
  ): Promise<OpenIncidentDto[]> {
    const page = { ...project, id: pageId, monitor_ids: monitorIds, now };
    const open = await this.incidents.openOn(page, manager);
    const shown = new Set(monitorIds);
    return open.map((incident) => ({
      ...incident,
      monitors: incident.monitors.filter(({ monitor_id }) => shown.has(monitor_id)),
    }));
  }

  /** Returns the maintenance windows of a page that are in progress or upcoming, with only the page's monitors. */
  private async maintenancesOf(
    project: ProjectRef,
    pageId: string,
    monitorIds: string[],
    now: Date,
    { manager }: Snapshot,
  ): Promise<UpcomingMaintenanceDto[]> {
    const until = new Date(now.getTime() + AHEAD_MS);
    const upcoming = await this.maintenances.upcomingOn(project, pageId, monitorIds, until, manager);
    const shown = new Set(monitorIds);
    return upcoming.map(({ project_id: _project, status_page_ids: _pages, monitor_ids, ...maintenance }) => ({
      ...maintenance,
      monitor_ids: monitor_ids.filter((id) => shown.has(id)),
    }));
  }
}

/** Returns the monitors of a page, without duplicates. */
export function monitorIdsOf({ sections }: Pick<SummarizedPage, 'sections'>): string[] {
  return [...new Set(sections.flatMap(({ monitor_ids }) => monitor_ids))];
}

/** Returns a section with its monitors. */
function summaryOf(
  { id, title, monitor_ids }: Section,
  all: ReadonlyMap<string, MonitorSummaryDto>,
): SectionSummaryDto {
  const monitors = monitor_ids.flatMap((monitor_id) => all.get(monitor_id) ?? []);
  const counts = countsOf(monitors.map(({ status }) => status));
  return { id, title, status: worstIn(counts), counts, monitors };
}
