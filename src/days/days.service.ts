import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyAccess } from '../auth/current-key.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type DayOfMonitor, type DayRange, DaysRepository } from './days.repository.js';
import { dayAfter, dayOf, daysBetween, resolveRange } from './day-range.js';
import { DaysComputer } from './days-computer.service.js';
import type { DaysQuery } from './dto/days.query.js';
import type { MonitorDayDto, MonitorDaysDto } from './dto/monitor-days.dto.js';
import { noSeconds, type Seconds, sumOf, uptimeOf } from './uptime.js';

const MAX_TRIES = 5;

/** A transaction that reads from one snapshot of the database. */
export interface Snapshot {
  manager: EntityManager;
  /** Whether closed days that are missing are computed here, because another try could miss them again. */
  isLastTry: boolean;
}

/** The seconds of a monitor in a range of days, and those of notable days, oldest first. */
export interface MonitorHistory {
  total: Seconds;
  days: (Seconds & { day: string })[];
}

/** Closed days of monitors are not computed. */
class MissingDays extends Error {
  constructor(
    readonly organization_id: string,
    readonly monitorIds: string[],
    readonly range: DayRange,
  ) {
    super('days are not computed');
  }
}

/**
 * The days of monitors: seconds in each status, and uptime. Closed days are computed once and kept in `monitor_days`; today is
 * computed when it is read.
 */
@Injectable()
export class DaysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: DaysRepository,
    private readonly monitors: MonitorsService,
    private readonly computer: DaysComputer,
  ) {}

  /**
   * The days of a monitor, oldest first.
   * @throws Problem 404 `not_found`; 400 `validation_failed` for a range that is too long or in the future
   */
  async get(key: KeyAccess, monitor_id: string, query: DaysQuery): Promise<MonitorDaysDto> {
    const now = new Date();
    const range = resolveRange(query, now);
    await this.monitors.get(key, monitor_id); // 404
    const days = await this.daysOf(key.organization_id, monitor_id, range, now);
    return {
      monitor_id,
      ...range,
      uptime: uptimeOf(sumOf(days)),
      days: days.map(toDay),
    };
  }

  private async daysOf(
    organization_id: string,
    monitor_id: string,
    range: DayRange,
    now: Date,
  ): Promise<DayOfMonitor[]> {
    const closed = closedPart(range, now);
    return this.readSnapshot(async ({ manager, isLastTry }) => {
      const found = closed ? await this.repository.find(organization_id, [monitor_id], closed, manager) : [];
      const isComplete = !closed || found.length === numberOf(closed);
      if (!isComplete && !isLastTry) throw new MissingDays(organization_id, [monitor_id], closed);
      const days = isComplete
        ? found
        : await this.computer.compute(organization_id, [monitor_id], closed, manager);
      if (range.to !== dayOf(now)) return days;
      const today = await this.computer.todayOf(organization_id, [monitor_id], now, manager);
      return [...days, { monitor_id, day: range.to, ...(today.get(monitor_id) ?? noSeconds()) }];
    });
  }

  /** The seconds of monitors in each status, in the last `count` days; today is one of them. For {@link readSnapshot}. */
  async sumsOf(
    organization_id: string,
    monitorIds: string[],
    count: number,
    now: Date,
    { manager, isLastTry }: Snapshot,
  ): Promise<Map<string, Seconds>> {
    const to = dayOf(now);
    const closed = closedPart({ from: dayAfter(to, 1 - count), to }, now);
    const sums = closed ? await this.repository.findSums(organization_id, monitorIds, closed, manager) : [];
    const complete = sums.filter(({ days }) => days === numberOf(closed));
    const isComplete = !closed || complete.length === monitorIds.length;
    if (!isComplete && !isLastTry) throw new MissingDays(organization_id, monitorIds, closed);
    const all = isComplete ? sums : await this.computer.compute(organization_id, monitorIds, closed, manager);
    const today = await this.computer.todayOf(organization_id, monitorIds, now, manager);
    const total = new Map(monitorIds.map((id) => [id, today.get(id) ?? noSeconds()]));
    for (const { monitor_id, ...seconds } of all)
      total.set(monitor_id, sumOf([total.get(monitor_id) ?? noSeconds(), seconds]));
    return total;
  }

  /**
   * The seconds of monitors in each status in the last `count` days, and the days in which they were not operational all the
   * time; today is always one of them. For {@link readSnapshot}.
   */
  async historiesOfPage(
    organization_id: string,
    monitorIds: string[],
    count: number,
    now: Date,
    { manager, isLastTry }: Snapshot,
  ): Promise<Map<string, MonitorHistory>> {
    if (monitorIds.length === 0) return new Map();
    const to = dayOf(now);
    const closed = closedPart({ from: dayAfter(to, 1 - count), to }, now);
    const found = closed
      ? await this.repository.findHistories(organization_id, monitorIds, closed, manager)
      : [];
    const complete = found.filter(({ days }) => days === numberOf(closed));
    const isComplete = !closed || complete.length === monitorIds.length;
    if (!isComplete && !isLastTry) throw new MissingDays(organization_id, monitorIds, closed);
    const histories = new Map<string, MonitorHistory>();
    if (isComplete)
      for (const { monitor_id, days: _days, notable, ...total } of found)
        histories.set(monitor_id, { total, days: notable });
    else
      for (const { monitor_id, day, ...seconds } of await this.computer.compute(
        organization_id,
        monitorIds,
        closed,
        manager,
      )) {
        const history = histories.get(monitor_id) ?? { total: noSeconds(), days: [] };
        histories.set(monitor_id, {
          total: sumOf([history.total, seconds]),
          days: [...history.days, { day, ...seconds }],
        });
      }
    const today = await this.computer.todayOf(organization_id, monitorIds, now, manager);
    return new Map(
      monitorIds.map((id) => {
        const { total, days } = histories.get(id) ?? { total: noSeconds(), days: [] };
        const seconds = today.get(id) ?? noSeconds();
        return [id, { total: sumOf([total, seconds]), days: [...days, { day: to, ...seconds }] }];
      }),
    );
  }

  /**
   * Reads from one snapshot of the database, so that a change between two statements is not half in the result. `read` can
   * run several times: if closed days are missing, it ends, they are computed and kept, and it starts again. Late reports can
   * invalidate them again and again; the last try does not depend on them.
   */
  async readSnapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.dataSource.transaction('REPEATABLE READ', (manager) =>
          read({ manager, isLastTry: tries >= MAX_TRIES }),
        );
      } catch (error) {
        if (!(error instanceof MissingDays)) throw error;
        await this.computer.close(error.organization_id, error.monitorIds, error.range);
      }
    }
  }
}

function toDay(day: DayOfMonitor): MonitorDayDto {
  return {
    day: day.day,
    uptime: uptimeOf(day),
    operational: day.operational,
    degraded_performance: day.degraded_performance,
    partial_outage: day.partial_outage,
    major_outage: day.major_outage,
    under_maintenance: day.under_maintenance,
    unknown: day.unknown,
  };
}

/** The days of a range before today; undefined: none. */
function closedPart({ from, to }: DayRange, now: Date): DayRange | undefined {
  const yesterday = dayAfter(dayOf(now), -1);
  if (from > yesterday) return undefined;
  return { from, to: to < yesterday ? to : yesterday };
}

function numberOf(range: DayRange | undefined): number {
  return range ? daysBetween(range.from, range.to) : 0;
}
