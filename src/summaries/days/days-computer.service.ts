import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { allowLong } from '../../platform/database/allow-long.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { MaintenanceIntervalsService } from '../../maintenances/maintenance-intervals.service.js';
import type { StatusInterval } from '../../monitors/monitor-status.js';
import { ReportsService } from '../../reports/reports.service.js';
import { dayAfter, dayOf, daysBetween, midnightOf } from './day-range.js';
import { type DayOfMonitor, type DayRange, DaysRepository } from './days.repository.js';
import { type History, secondsByDay } from './timeline.js';
import { noSeconds, type Seconds } from './uptime.js';

/** Maximum number of monitors that one transaction computes. */
const MONITORS_AT_ONCE = 50;
const DAYS_AT_ONCE = 32;

/**
 * Maximum number of runs that a transaction of several days reads, because a monitor can change its status every second. With
 * more runs, it computes half as many days. A single day is never divided.
 */
const RUNS_AT_ONCE = 50_000;

/** Computes days from reports, incidents and maintenance windows, and stores the closed ones. */
@Injectable()
export class DaysComputer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: DaysRepository,
    private readonly reports: ReportsService,
    private readonly incidents: IncidentsService,
    private readonly maintenances: MaintenanceIntervalsService,
  ) {}

  /**
   * Computes and stores the missing closed days of the range. For each monitor, computes every day from its first to its last
   * missing day.
   */
  async close(organization_id: string, monitorIds: string[], range: DayRange): Promise<void> {
    const { manager } = this.dataSource;
    const missing = await this.repository.findMissing(organization_id, monitorIds, range, manager);
    for (const { from, to, monitors } of byRange(missing))
      for (let place = 0; place < monitors.length; place += MONITORS_AT_ONCE)
        for (let first = from; first <= to; first = dayAfter(first, DAYS_AT_ONCE)) {
          const last = dayAfter(first, DAYS_AT_ONCE - 1);
          const part = { from: first, to: last < to ? last : to };
          await this.closePart(organization_id, monitors.slice(place, place + MONITORS_AT_ONCE), part);
        }
  }

  private async closePart(organization_id: string, monitorIds: string[], range: DayRange): Promise<void> {
    if (range.from < range.to && (await this.hasManyRuns(organization_id, monitorIds, range))) {
      const middle = dayAfter(range.from, Math.floor(daysBetween(range.from, range.to) / 2));
      await this.closePart(organization_id, monitorIds, { from: range.from, to: dayAfter(middle, -1) });
      return this.closePart(organization_id, monitorIds, { from: middle, to: range.to });
    }
    await this.dataSource.transaction(async (manager) => {
      await allowLong(manager);
      // From here on, no other transaction changes the history of these monitors.
      await this.reports.lockHistory(organization_id, monitorIds, null, manager);
      // A concurrent request may have stored the missing days in the meantime.
      const missing = await this.repository.findMissing(organization_id, monitorIds, range, manager);
      if (missing.length === 0) return;
      await this.repository.deleteInvalid(organization_id, monitorIds, manager);
      const days = await this.compute(organization_id, monitorIds, range, manager);
      await this.repository.insert(organization_id, days, manager);
      await this.reports.closeDays(organization_id, monitorIds, midnightOf(dayAfter(range.to, 1)), manager);
    });
  }

  private hasManyRuns(organization_id: string, monitorIds: string[], range: DayRange): Promise<boolean> {
    const times = { from: midnightOf(range.from), to: midnightOf(dayAfter(range.to, 1)) };
    return this.reports.hasMoreRuns(organization_id, monitorIds, times, RUNS_AT_ONCE);
  }

  /** Computes the closed days of monitors, oldest first. */
  async compute(
    organization_id: string,
    monitorIds: string[],
    range: DayRange,
    manager: EntityManager,
  ): Promise<DayOfMonitor[]> {
    const [from, to] = [midnightOf(range.from), midnightOf(dayAfter(range.to, 1))];
    const histories = await this.historiesOf(organization_id, monitorIds, { from, to }, manager);
    return [...histories].flatMap(([monitor_id, history]) =>
      secondsByDay(history, from, to).map((seconds, index) => ({
        monitor_id,
        day: dayAfter(range.from, index),
        ...seconds,
      })),
    );
  }

  private async historiesOf(
    organization_id: string,
    monitorIds: string[],
    range: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<Map<string, History>> {
    const histories = new Map(
      monitorIds.map((id): [string, History] => [id, { reported: [], incidents: [], maintenances: [] }]),
    );
    const add = (source: keyof History, intervals: StatusInterval[]) => {
      for (const { monitor_id, ...interval } of intervals) histories.get(monitor_id)?.[source].push(interval);
    };
    add('reported', await this.reports.intervalsOf(organization_id, monitorIds, range, manager));
    add('incidents', await this.incidents.intervalsOf(organization_id, monitorIds, range, manager));
    add('maintenances', await this.maintenances.intervalsOf(organization_id, monitorIds, range, manager));
    return histories;
  }

  /** Returns the seconds of today until `now`. */
  async todayOf(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager: EntityManager,
  ): Promise<Map<string, Seconds>> {
    const from = midnightOf(dayOf(now));
    const histories = await this.historiesOf(organization_id, monitorIds, { from, to: now }, manager);
    return new Map(
      [...histories].map(([id, history]) => [id, secondsByDay(history, from, now)[0] ?? noSeconds()]),
    );
  }
}

/** Groups the monitors whose missing days have the same first and last day. */
function byRange(missing: (DayRange & { monitor_id: string })[]): (DayRange & { monitors: string[] })[] {
  const groups = new Map<string, DayRange & { monitors: string[] }>();
  for (const { monitor_id, from, to } of missing) {
    const group = groups.get(`${from} ${to}`) ?? { from, to, monitors: [] };
    group.monitors.push(monitor_id);
    groups.set(`${from} ${to}`, group);
  }
  return [...groups.values()];
}
