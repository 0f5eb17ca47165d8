import { Injectable } from '@nestjs/common';
import { ShownIncidentsService } from '../incidents/shown/shown-incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { isMonth, monthAfter, MONTHS_AHEAD, rangeOfMonth } from './months.js';
import { type LatestPart, MAX_PAST_UPDATES, type MonthPart } from './page-data.js';
import { latestFirst, type PageSnapshot, showingOf, toIncident, toMaintenance } from './page-snapshot.js';

/** Maximum time until the start of the maintenance windows that are shown, in milliseconds, as on the overview. */
const AHEAD_MS = 30 * 86_400_000;

const OF_MONTH = { incidents: 200, updates: MAX_PAST_UPDATES + 1 };
const WINDOWS_OF_MONTH = { maintenances: 200, updates: MAX_PAST_UPDATES + 1 };
const ANY = { incidents: 1, maintenances: 1, updates: 1 };
/** Limits for a feed, which has at most 50 entries. */
const LATEST = { incidents: 100, maintenances: 100, updates: 50 };

/** Reads the history of incidents and maintenance windows of a page. */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly incidents: ShownIncidentsService,
    private readonly maintenances: MaintenancesService,
  ) {}

  /** Returns a month in the time zone of the page, or undefined if the page does not show its history, or the month is out of range. */
  async month(page: PageSnapshot, month: string): Promise<MonthPart | undefined> {
    if (!page.status_page.show_history || !isMonth(month, page.now)) return undefined;
    const range = rangeOfMonth(month, page.page.branding.time_zone);
    const showing = showingOf(page);
    const { manager } = page.snapshot;
    // Future months contain no incident, even if it is still open.
    const incidents =
      range.from > page.now ? [] : await this.incidents.shownOn(showing, range, OF_MONTH, manager);
    const maintenances = await this.maintenances.shownOn(showing, range, WINDOWS_OF_MONTH, manager);
    return {
      page: page.page,
      month,
      ...(await this.neighborsOf(page, month, range)),
      incidents: incidents.map(toIncident(page)),
      maintenances: maintenances.map(toMaintenance(page)),
    };
  }

  /**
   * Returns the months before and after a month. There is no month before the first incident or maintenance window, and no
   * future month after the last one.
   */
  private async neighborsOf(
    page: PageSnapshot,
    month: string,
    { from, to }: { from: Date; to: Date },
  ): Promise<Pick<MonthPart, 'previous' | 'next'>> {
    const { manager } = page.snapshot;
    const showing = showingOf(page);
    const [previous, next] = [monthAfter(month, -1), monthAfter(month, 1)];
    const before = { from: new Date(0), to: from };
    const after = {
      from: to,
      to: rangeOfMonth(monthAfter(month, MONTHS_AHEAD), page.page.branding.time_zone).to,
    };
    const hasBefore =
      (await this.incidents.shownOn(showing, before, ANY, manager)).length > 0 ||
      (await this.maintenances.shownOn(showing, before, ANY, manager)).length > 0;
    const hasAfter =
      to <= page.now || (await this.maintenances.shownOn(showing, after, ANY, manager)).length > 0;
    return {
      previous: hasBefore && isMonth(previous, page.now) ? previous : null,
      next: hasAfter && isMonth(next, page.now) ? next : null,
    };
  }

  /**
   * Returns the latest incidents and maintenance windows, and all that are open or start within 30 days, even if many later
   * ones exist.
   */
  async latest(page: PageSnapshot): Promise<LatestPart> {
    const { now, snapshot } = page;
    const { manager } = snapshot;
    const showing = showingOf(page);
    const ahead = { from: now, to: new Date(now.getTime() + AHEAD_MS) };
    const incidents = latestFirst(
      await this.incidents.shownOn(showing, {}, LATEST, manager),
      await this.incidents.shownOn(showing, { open: true }, LATEST, manager),
      ({ started_at }) => started_at,
    );
    const maintenances = latestFirst(
      await this.maintenances.shownOn(showing, {}, LATEST, manager),
      await this.maintenances.shownOn(showing, ahead, LATEST, manager),
      ({ starts_at }) => starts_at,
    );
    return {
      page: page.page,
      incidents: incidents.map(toIncident(page)),
      maintenances: maintenances.map(toMaintenance(page)),
    };
  }
}
