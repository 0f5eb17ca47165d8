import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ActorAccess } from '../../platform/auth/actor.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../platform/database/statements.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type DayRange, DaysRepository, type WantedDays } from './days.repository.js';
import { dayAfter, dayOf, daysBetween, resolveRange } from './day-range.js';
import { DaysComputer } from './days-computer.service.js';
import type { DaysQuery } from './dto/days.query.js';
import type { MonitorDayDto, MonitorDaysDto } from './dto/monitor-days.dto.js';
import { type Day, packDay, type PackedDays, unpackDays } from './packed-days.js';
import { noSeconds, observedIn, type Seconds, sumOf, uptimeOf } from './uptime.js';

const MAX_TRIES = 5;

/** A transaction that reads from one snapshot of the database. */
export interface Snapshot {
  manager: EntityManager;
  /** Whether this is the last try. It computes missing closed days in the snapshot, without storing them. */
  isLastTry: boolean;
}

/**
 * Total seconds of a monitor in a range of days, and its wanted days ({@link WantedDays}), including today if the range contains
 * it.
 */
export interface MonitorHistory {
  total: Seconds;
  days: PackedDays;
}

/** Thrown if closed (past) days of monitors are not stored, or no longer valid. */
class MissingDays extends Error {
  constructor(
    readonly organization_id: string,
    readonly monitorIds: string[],
    readonly range: DayRange,
  ) {
    super('days are not stored or not valid');
  }
}

/**
 * Returns the days of monitors: seconds in each status, and uptime. Closed days are computed once and stored in `monitor_days`.
 * Today is computed on each read.
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
   * Returns the days of a monitor, oldest first.
   * @throws Problem 404 `not_found`; 400 `validation_failed` if the range is too long or in the future
   */
  async get(access: ActorAccess, monitor_id: string, query: DaysQuery): Promise<MonitorDaysDto> {
    const now = new Date();
    const range = resolveRange(query, now);
    return this.readSnapshot(async (snapshot) => {
      const { organization_id } = access;
      await this.monitors.get(access, monitor_id, snapshot.manager); // throws 404
      const histories = await this.historiesOf(organization_id, [monitor_id], range, 'all', now, snapshot);
      const { total, days } = histories.get(monitor_id) ?? { total: noSeconds(), days: '' };
      return {
        monitor_id,
        ...range,
        uptime: uptimeOf(total),
        observed_seconds: observedIn(total),
        days: unpackDays(days).map(toDay),
      };
    });
  }

  /**
   * Returns the seconds of monitors in each status in the last `count` days, including today. Must run in {@link readSnapshot}.
   */
  async sumsOf(
    organization_id: string,
    monitorIds: string[],
    count: number,
    now: Date,
    snapshot: Snapshot,
  ): Promise<Map<string, Seconds>> {
    const range = lastDays(count, now);
    const histories = await this.historiesOf(organization_id, monitorIds, range, 'none', now, snapshot);
    return new Map([...histories].map(([id, { total }]) => [id, total]));
  }

  /**
   * Returns the seconds of monitors in each status in the last `count` days, and the days in which they were not always
   * operational. Always includes today. Must run in {@link readSnapshot}.
   */
  async historiesOfPage(
    organization_id: string,
    monitorIds: string[],
    count: number,
    now: Date,
    snapshot: Snapshot,
  ): Promise<Map<string, MonitorHistory>> {
    const range = lastDays(count, now);
    return this.historiesOf(organization_id, monitorIds, range, 'notable', now, snapshot);
  }

  /**
   * Returns the histories of monitors in a range of days, with the wanted closed days, and with today if the range contains it.
   */
  private async historiesOf(
    organization_id: string,
    monitorIds: string[],
    range: DayRange,
    wanted: WantedDays,
    now: Date,
    { manager, isLastTry }: Snapshot,
  ): Promise<Map<string, MonitorHistory>> {
    const histories = new Map<string, MonitorHistory>(
      monitorIds.map((id) => [id, { total: noSeconds(), days: '' }]),
    );
    if (monitorIds.length === 0) return histories;
    const add = (id: string, seconds: Seconds, days: PackedDays) => {
      const history = histories.get(id);
      if (!history) return;
      history.total = sumOf([history.total, seconds]);
      history.days += days;
    };
    const closed = closedPart(range, now);
    if (closed) {
      const found = await this.repository.findHistories(organization_id, monitorIds, closed, wanted, manager);
      const complete = found.filter(({ day_count }) => day_count === daysBetween(closed.from, closed.to));
      if (complete.length === monitorIds.length) {
        for (const { monitor_id, days, ...seconds } of found) add(monitor_id, seconds, days);
      } else {
        if (!isLastTry) throw new MissingDays(organization_id, monitorIds, closed);
        const computed = await this.computer.compute(organization_id, monitorIds, closed, manager);
        for (const { monitor_id, ...day } of computed) add(monitor_id, day, packDay(day));
      }
    }
    const today = dayOf(now);
    if (range.to !== today) return histories;
    for (const [id, seconds] of await this.computer.todayOf(organization_id, monitorIds, now, manager))
      add(id, seconds, packDay({ day: today, ...seconds }));
    return histories;
  }

  /**
   * Reads from one snapshot of the database, so that a concurrent change cannot be visible in only a part of the result. `read`
   * can run several times: if closed days are missing, it is aborted, the days are computed and stored, and it runs again. Late
   * reports can invalidate the stored days before each try, so the last try computes missing days itself.
   */
  async readSnapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.dataSource.transaction('REPEATABLE READ', (manager) =>
          read({ manager, isLastTry: tries >= MAX_TRIES }),
        );
      } catch (error) {
        if (!(error instanceof MissingDays)) throw error;
        await this.computer
          .close(error.organization_id, error.monitorIds, error.range)
          .catch((reason: unknown) => {
            // A monitor was deleted in the meantime. The next try does not read it.
            if (!isSqlState(reason, FOREIGN_KEY_VIOLATION, /^monitor_states_monitor_fkey$/)) throw reason;
          });
      }
    }
  }
}

function toDay(day: Day): MonitorDayDto {
  return {
    day: day.day,
    uptime: uptimeOf(day),
    observed_seconds: observedIn(day),
    operational: day.operational,
    degraded_performance: day.degraded_performance,
    partial_outage: day.partial_outage,
    major_outage: day.major_outage,
    under_maintenance: day.under_maintenance,
    unknown: day.unknown,
  };
}

/** Returns the days of a range before today, or undefined. */
function closedPart({ from, to }: DayRange, now: Date): DayRange | undefined {
  const yesterday = dayAfter(dayOf(now), -1);
  if (from > yesterday) return undefined;
  return { from, to: to < yesterday ? to : yesterday };
}

/** Returns the last `count` days, including today. */
function lastDays(count: number, now: Date): DayRange {
  const to = dayOf(now);
  return { from: dayAfter(to, 1 - count), to };
}
