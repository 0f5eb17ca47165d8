import { Injectable } from '@nestjs/common';
import { BrandingService } from '../branding/branding.service.js';
import { DaysService, type MonitorHistory, type Snapshot } from '../summaries/days/days.service.js';
import { dayAfter, dayOf, midnightOf } from '../summaries/days/day-range.js';
import { observedIn, type Seconds, uptimeOf } from '../summaries/days/uptime.js';
import { ShownIncidentsService } from '../incidents/shown/shown-incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { canSendMail } from '../platform/config/mail-env.js';
import { Env } from '../platform/config/env.js';
import { ResponseTimesService } from '../reports/response-times/response-times.service.js';
import { ReportsService } from '../reports/reports.service.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import { type VersionedPage, PageLookupService } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { StatusesService } from '../summaries/statuses/statuses.service.js';
import { headlineOf } from '../summaries/headline.js';
import { AHEAD_MS, monitorIdsOf, SummariesService } from '../summaries/summaries.service.js';
import type { PackedMonitor } from './packed-monitor.js';
import {
  MAX_RECENT_UPDATES,
  RECENT_DAYS,
  type CurrentPart,
  type DayIncidentData,
  type IncidentPart,
  type MaintenancePart,
  type MonitorData,
  type MonitorPart,
  type Overview,
} from './page-data.js';
import {
  earliest,
  nextMinute,
  type PageSnapshot,
  showingOf,
  toHead,
  toIncident,
  toMaintenance,
  toNames,
  toSections,
} from './page-snapshot.js';
import { plainName } from './plain-text.js';

const DAY_MS = 86_400_000;

const OPEN = { incidents: 100, maintenances: 100, updates: 100 };
// One update more than shown, to know whether there are more.
const RECENT = { incidents: 50, updates: MAX_RECENT_UPDATES + 1 };
const ENDED = { maintenances: 50, updates: MAX_RECENT_UPDATES + 1 };
const ONE = { incidents: 1, maintenances: 1, updates: 100 };

/** Time for which ended incidents and maintenance windows stay on the overview, in milliseconds. */
const RECENT_MS = RECENT_DAYS * DAY_MS;

/** Reads the data of page parts. Each document is read from one snapshot of the database. */
@Injectable()
export class PageReader {
  constructor(
    private readonly pageLookup: PageLookupService,
    private readonly statusPages: StatusPagesService,
    private readonly branding: BrandingService,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
    private readonly responseTimes: ResponseTimesService,
    private readonly days: DaysService,
    private readonly incidents: ShownIncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly summaries: SummariesService,
    private readonly statuses: StatusesService,
    private readonly env: Env,
  ) {}

  /**
   * Reads from one snapshot of the database. `read` can run several times (`DaysService.readSnapshot`).
   * @returns undefined if the page is deleted
   */
  async read<Result>(id: string, read: (page: PageSnapshot) => Promise<Result>): Promise<Result | undefined> {
    return this.days.readSnapshot(async (snapshot) => {
      const { manager } = snapshot;
      const visible = await this.pageLookup.find(id, manager);
      if (!visible) return undefined;
      return read(await this.snapshotOf(visible, snapshot));
    });
  }

  private async snapshotOf(
    { id, organization_id, version }: VersionedPage,
    snapshot: Snapshot,
  ): Promise<PageSnapshot> {
    const { manager } = snapshot;
    const json = await this.statusPages.get({ organization_id, project_ids: null }, id, manager);
    const status_page: StatusPageDto = JSON.parse(String(json.text));
    const now = new Date();
    const monitor_ids = monitorIdsOf(status_page);
    const project = { organization_id, project_id: status_page.project_id };
    const names = await this.monitors.namesOf(project, monitor_ids, manager);
    const branding = await this.branding.shownOn({ organization_id, status_page_id: id }, manager);
    const head = toHead(status_page, branding, now, canSendMail(this.env));
    const own = { page: head, now, status_page, organization_id, monitor_ids };
    const showing = showingOf(own);
    const until = earliest([
      nextMinute(now),
      await this.reports.nextChange(organization_id, monitor_ids, now, manager),
      await this.incidents.nextChange(showing, manager),
      await this.maintenances.nextChange(showing, manager),
    ]);
    return { ...own, version, until, names: toNames(names), snapshot };
  }

  /** Returns the current contents of the page, without a history. */
  async current(page: PageSnapshot): Promise<CurrentPart> {
    return this.currentOf(page, new Map());
  }

  /** @param sums the seconds of monitors in the last `history_days` days */
  private async currentOf(
    page: PageSnapshot,
    sums: ReadonlyMap<string, Seconds>,
  ): Promise<CurrentPart<Omit<MonitorData, 'days'>>> {
    const { now, snapshot, organization_id, status_page } = page;
    const names = [...page.names].map(([id, { name, description }]) => ({ id, name, description }));
    const summary = await this.summaries.summarizeMonitors(
      { organization_id },
      status_page,
      names,
      sums,
      now,
      snapshot,
    );
    const open = await this.incidents.shownOn(showingOf(page), { open: true }, OPEN, snapshot.manager);
    const ahead = { starts_before: new Date(now.getTime() + AHEAD_MS) };
    const upcoming = await this.maintenances.shownOn(showingOf(page), ahead, OPEN, snapshot.manager);
    const incidents = open.map(toIncident(page));
    const affecting = incidents.map((one) => ({ ...one, monitors: one.affected_now }));
    return {
      page: page.page,
      headline: headlineOf(summary.counts, affecting),
      counts: summary.counts,
      sections: toSections(page, summary),
      incidents,
      maintenances: upcoming.map(toMaintenance(page)),
    };
  }

  /** Returns the current contents of the page, and its history. */
  async overview(page: PageSnapshot): Promise<Overview<PackedMonitor>> {
    const { now, snapshot, monitor_ids, status_page } = page;
    const { manager } = snapshot;
    const histories = await this.historiesOf(page, monitor_ids);
    const current = await this.currentOf(page, sumsOf(histories));
    const showing = showingOf(page);
    const over = { ended_since: new Date(now.getTime() - RECENT_MS) };
    const resolved = await this.incidents.shownOn(showing, over, RECENT, manager);
    const ended = await this.maintenances.shownOn(showing, over, ENDED, manager);
    const daysOf = (id: string) => (status_page.show_history ? (histories.get(id)?.days ?? '') : '');
    return {
      ...current,
      sections: current.sections.map((section) => ({
        ...section,
        monitors: section.monitors.map((one) => ({ ...one, days: daysOf(one.monitor_id) })),
      })),
      recent: {
        incidents: resolved.map(toIncident(page)),
        maintenances: ended.map(toMaintenance(page)),
      },
      day_incidents: status_page.show_history ? await this.dayIncidents(page, monitor_ids) : [],
    };
  }

  private historiesOf(page: PageSnapshot, monitorIds: string[]): Promise<Map<string, MonitorHistory>> {
    const { organization_id, status_page, now, snapshot } = page;
    return this.days.historiesOfPage(organization_id, monitorIds, status_page.history_days, now, snapshot);
  }

  /** Returns one monitor of the page, or undefined if the page does not contain it, or does not show its history. */
  async monitor(page: PageSnapshot, id: string): Promise<MonitorPart<PackedMonitor> | undefined> {
    const named = page.names.get(id);
    if (!page.status_page.show_history || !named) return undefined;
    const { now, snapshot, organization_id } = page;
    const history = (await this.historiesOf(page, [id])).get(id);
    const [current] = await this.statuses.statusesOf(organization_id, [id], now, snapshot.manager);
    if (!current || !history) return undefined;
    return {
      page: page.page,
      monitor: {
        monitor_id: id,
        ...named,
        status: current.status,
        uptime: uptimeOf(history.total),
        observed_seconds: observedIn(history.total),
        days: history.days,
      },
      ...(await this.responseTimesOf(page, id)),
      day_incidents: await this.dayIncidents(page, [id]),
    };
  }

  private async responseTimesOf(
    { page, organization_id, now, snapshot }: PageSnapshot,
    id: string,
  ): Promise<Pick<MonitorPart, 'response_times'>> {
    if (!page.branding.show_response_times) return {};
    return { response_times: await this.responseTimes.latestOf(organization_id, id, now, snapshot.manager) };
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

  /** Returns an incident that the page shows. */
  async incident(page: PageSnapshot, id: string): Promise<IncidentPart | undefined> {
    const [incident] = await this.incidents.shownOn(showingOf(page), { id }, ONE, page.snapshot.manager);
    return incident && { page: page.page, incident: toIncident(page)(incident) };
  }

  /** Returns a maintenance window that the page shows. */
  async maintenance(page: PageSnapshot, id: string): Promise<MaintenancePart | undefined> {
    const [maintenance] = await this.maintenances.shownOn(
      showingOf(page),
      { id },
      ONE,
      page.snapshot.manager,
    );
    if (!maintenance) return undefined;
    return { page: page.page, maintenance: toMaintenance(page)(maintenance) };
  }
}

function sumsOf(histories: ReadonlyMap<string, MonitorHistory>): Map<string, Seconds> {
  return new Map([...histories].map(([id, { total }]) => [id, total]));
}
