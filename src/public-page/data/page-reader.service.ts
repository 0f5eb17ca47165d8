import { Injectable } from '@nestjs/common';
import { DaysService, type MonitorHistory, type Snapshot } from '../../days/days.service.js';
import { dayAfter, dayOf, midnightOf } from '../../days/day-range.js';
import type { Seconds } from '../../days/uptime.js';
import { PageIncidentsService } from '../../incidents/page-incidents.service.js';
import type { ShownMaintenance } from '../../maintenances/page-maintenances.repository.js';
import { MaintenancesService } from '../../maintenances/maintenances.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { ReportsService } from '../../reports/reports.service.js';
import type { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { type VisiblePage, VisiblePagesService } from '../../status-pages/visible-pages.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import type { StatusPageSummaryDto } from '../../summaries/dto/status-page-summary.dto.js';
import { monitorIdsOf, SummariesService } from '../../summaries/summaries.service.js';
import type {
  DayIncidentData,
  IncidentPart,
  MaintenancePart,
  MonitorData,
  MonitorPart,
  Overview,
} from './page-data.js';
import {
  earliest,
  edgesOf,
  nextMinute,
  type PageSnapshot,
  showingOf,
  toHead,
  toIncident,
  toMaintenance,
} from './page-snapshot.js';
import { plainName, plainText } from './plain-text.js';

const DAY_MS = 86_400_000;

const OPEN = { incidents: 100, updates: 100 };
const RECENT = { incidents: 100, updates: 1 };
const ONE = { incidents: 1, updates: 100 };
const MAX_LATEST = 100;

/** How far back the overview shows what is over. */
const RECENT_MS = 14 * DAY_MS;

/** Reads what the parts of a page show. Each document is read from one snapshot of the database. */
@Injectable()
export class PageReader {
  constructor(
    private readonly visiblePages: VisiblePagesService,
    private readonly statusPages: StatusPagesService,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
    private readonly days: DaysService,
    private readonly incidents: PageIncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly summaries: SummariesService,
  ) {}

  /**
   * Reads from one snapshot of the database. `read` can run several times (`DaysService.readSnapshot`).
   * @returns undefined if the page is deleted
   */
  async read<Result>(id: string, read: (page: PageSnapshot) => Promise<Result>): Promise<Result | undefined> {
    return this.days.readSnapshot(async (snapshot) => {
      const { manager } = snapshot;
      const visible = await this.visiblePages.find(id, manager);
      if (!visible) return undefined;
      return read(await this.snapshotOf(visible, snapshot));
    });
  }

  private async snapshotOf(
    { id, organization_id, version }: VisiblePage,
    snapshot: Snapshot,
  ): Promise<PageSnapshot> {
    const { manager } = snapshot;
    const json = await this.statusPages.get({ organization_id, project_ids: null }, id, manager);
    const status_page: StatusPageDto = JSON.parse(json.text);
    const now = new Date();
    const monitor_ids = monitorIdsOf(status_page);
    const project = { organization_id, project_id: status_page.project_id };
    const names = await this.monitors.namesOf(project, monitor_ids, manager);
    const edge = await this.reports.nextEdge(organization_id, monitor_ids, now, manager);
    return {
      page: toHead(status_page, now),
      version,
      now,
      until: earliest([nextMinute(now), edge]),
      status_page,
      organization_id,
      monitor_ids,
      names: new Map(
        names.map(({ id: monitor_id, name, description, ...times }) => [
          monitor_id,
          { ...times, name: plainName(name), description: plainText(description) },
        ]),
      ),
      snapshot,
    };
  }

  /** What the page shows now. Changes `until` to the next edge of a maintenance. */
  async overview(page: PageSnapshot): Promise<Overview> {
    const { now, snapshot, organization_id, monitor_ids, status_page } = page;
    const { manager } = snapshot;
    const histories = await this.days.historiesOfPage(
      organization_id,
      monitor_ids,
      status_page.history_days,
      now,
      snapshot,
    );
    const sums = new Map<string, Seconds>([...histories].map(([id, { total }]) => [id, total]));
    const access = { organization_id, project_ids: null };
    const summary = await this.summaries.summarize(access, status_page, sums, now, snapshot);
    const showing = showingOf(page);
    const open = await this.incidents.shownOn(showing, { open: true }, OPEN, manager);
    const recently = { from: new Date(now.getTime() - RECENT_MS), to: now };
    const recent = await this.incidents.shownOn(showing, recently, RECENT, manager);
    const ended = await this.maintenances.shownOn(showing, recently, MAX_LATEST, manager);
    const isOver = ({ status }: ShownMaintenance) => status === 'completed' || status === 'cancelled';
    const maintenances = summary.maintenances.map((one) => ({ ...one, ended_at: one.ends_at }));
    page.until = earliest([page.until, ...maintenances.flatMap(edgesOf(now))]);
    return {
      page: page.page,
      headline: summary.headline,
      counts: summary.counts,
      sections: this.sectionsOf(page, summary, histories),
      incidents: open.map(toIncident(page)),
      maintenances: maintenances.map(toMaintenance(page)),
      recent: {
        incidents: recent.filter(({ resolved_at }) => resolved_at !== null).map(toIncident(page)),
        maintenances: ended.filter(isOver).map(toMaintenance(page)),
      },
      day_incidents: status_page.show_history ? await this.dayIncidents(page, monitor_ids) : [],
    };
  }

  private sectionsOf(
    page: PageSnapshot,
    { sections }: StatusPageSummaryDto,
    histories: ReadonlyMap<string, MonitorHistory>,
  ): Overview['sections'] {
    return sections.map(({ id, title, status, counts, monitors }) => ({
      id,
      title: plainName(title),
      status,
      counts,
      monitors: monitors.flatMap(({ monitor_id, status: own, uptime }): MonitorData[] => {
        const named = page.names.get(monitor_id);
        if (!named) return [];
        const days = page.status_page.show_history ? (histories.get(monitor_id)?.days ?? []) : [];
        return [{ monitor_id, ...named, status: own, uptime, days }];
      }),
    }));
  }

  /** One monitor of the page; undefined: the page has no such monitor, or does not show its history. */
  async monitor(page: PageSnapshot, id: string): Promise<MonitorPart | undefined> {
    if (!page.status_page.show_history || !page.names.has(id)) return undefined;
    const overview = await this.overview(page);
    const monitor = overview.sections
      .flatMap(({ monitors }) => monitors)
      .find((one) => one.monitor_id === id);
    if (!monitor) return undefined;
    const day_incidents = overview.day_incidents.filter(({ monitor_id }) => monitor_id === id);
    return { page: page.page, monitor, day_incidents };
  }

  private async dayIncidents(page: PageSnapshot, monitorIds: string[]): Promise<DayIncidentData[]> {
    const { now, snapshot, status_page } = page;
    const from = midnightOf(dayAfter(dayOf(now), 1 - status_page.history_days));
    const showing = { ...showingOf(page), monitor_ids: monitorIds };
    const found = await this.incidents.ofDays(showing, { from, to: now }, snapshot.manager);
    return found.map(({ id, title, monitor_id, started_at, ended_at }) => ({
      id,
      title: plainName(title),
      monitor_id,
      started_at,
      ended_at,
    }));
  }

  /** An incident that the page shows. */
  async incident(page: PageSnapshot, id: string): Promise<IncidentPart | undefined> {
    const [incident] = await this.incidents.shownOn(showingOf(page), { id }, ONE, page.snapshot.manager);
    return incident && { page: page.page, incident: toIncident(page)(incident) };
  }

  /** A maintenance that the page shows. */
  async maintenance(page: PageSnapshot, id: string): Promise<MaintenancePart | undefined> {
    const [maintenance] = await this.maintenances.shownOn(showingOf(page), { id }, 1, page.snapshot.manager);
    if (!maintenance) return undefined;
    page.until = earliest([page.until, ...edgesOf(page.now)(maintenance)]);
    return { page: page.page, maintenance: toMaintenance(page)(maintenance) };
  }
}
