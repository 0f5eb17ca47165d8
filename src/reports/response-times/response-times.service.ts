import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MonitorsService } from '../../monitors/monitors.service.js';
import type { ActorAccess } from '../../platform/auth/actor.js';
import { validationFailed } from '../../platform/problems/problem.js';
import { PeriodicTasks } from '../../platform/tasks/periodic-tasks.js';
import type { ResponseTimesDto } from './dto/response-times.dto.js';
import type { ResponseTimesQuery } from './dto/response-times.query.js';
import { binOf, quantileOf, totalOf } from './response-bins.js';
import { type Resolution, RESOLUTIONS } from './response-time.entity.js';
import {
  type AddedHistogram,
  type Histogram,
  ResponseTimesRepository,
  type Samples,
} from './response-times.repository.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds of a period, days for which it is kept, and periods of a response by default. */
const PERIODS: Record<Resolution, { ms: number; kept_days: number; default: number }> = {
  hour: { ms: HOUR_MS, kept_days: 32, default: 24 },
  day: { ms: DAY_MS, kept_days: 400, default: 30 },
};

const COUNT_MS = 60_000;
const CLEANUP_MS = 600_000;
/** Samples that one run counts, so that they occupy the event loop for some milliseconds. */
const TAKEN_AT_ONCE = 10_000;
const DELETED_AT_ONCE = 5_000;

/** Days that the page of a monitor shows. */
const SHOWN_DAYS = 7;

/** Response times of an hour or a day: start in milliseconds since 1970, median, and 95th percentile. */
interface LatestTime {
  at: number;
  p50: number;
  p95: number;
}

/** Latest response times of a monitor, from the start of an hour to the end of the present one. */
export interface LatestTimes {
  from: number;
  to: number;
  hours: LatestTime[];
  days: LatestTime[];
  /** null: there are no reports. */
  total: Pick<LatestTime, 'p50' | 'p95'> | null;
}

/** A report with its response time. */
export interface TimedReport {
  monitor_id: string;
  observed_at: Date;
  /** In milliseconds, from 0 to `MAX_RESPONSE_MS`. */
  response_ms?: number;
}

/** Records the response times of monitors as histograms of hours and days, and returns their quantiles. */
@Injectable()
export class ResponseTimesService implements OnModuleInit {
  /** Organization whose samples were counted last. */
  private last: string | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ResponseTimesRepository,
    private readonly monitors: MonitorsService,
    private readonly tasks: PeriodicTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({ name: 'response times', every_ms: COUNT_MS, run: () => this.countNext() });
    this.tasks.add({ name: 'old response times', every_ms: CLEANUP_MS, run: () => this.deleteOld() });
  }

  /** Stores the response times of the reports that have one. A task adds them to the histograms within seven minutes. */
  async record(organization_id: string, reports: TimedReport[], manager: EntityManager): Promise<void> {
    const samples = samplesOf(reports);
    if (samples.bins.length > 0) await this.repository.insert(organization_id, samples, manager);
  }

  /** Adds response times to the histograms, so that they count immediately. For few reports, such as in the demo. */
  async add(organization_id: string, reports: TimedReport[], manager: EntityManager): Promise<void> {
    const histograms = histogramsOf([samplesOf(reports)], Date.now());
    await this.repository.add(organization_id, histograms, manager);
  }

  /**
   * Returns the quantiles of a monitor's hours or days that have reports, oldest first.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `out_of_range` if the range is empty, or longer than the
   * histograms are kept
   */
  async get(access: ActorAccess, monitor_id: string, query: ResponseTimesQuery): Promise<ResponseTimesDto> {
    const resolution = query.resolution ?? 'hour';
    const range = rangeOf(query, resolution, new Date());
    await this.monitors.get(access, monitor_id);
    const histograms = await this.repository.find(access.organization_id, monitor_id, resolution, range);
    return {
      monitor_id,
      resolution,
      ...range,
      periods: histograms.map(({ started_at, counts }) => ({
        started_at,
        count: totalOf(counts),
        p50: quantileOf(counts, 0.5),
        p95: quantileOf(counts, 0.95),
        p99: quantileOf(counts, 0.99),
      })),
    };
  }

  /** Returns the hours and days of the last {@link SHOWN_DAYS} days that have reports, for the page of a monitor. */
  async latestOf(
    organization_id: string,
    monitor_id: string,
    now: Date,
    manager: EntityManager,
  ): Promise<LatestTimes> {
    const to = Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS;
    const from = to - SHOWN_DAYS * DAY_MS;
    const find = async (resolution: Resolution, start: number) => {
      const range = { from: new Date(start), to: new Date(to) };
      return this.repository.find(organization_id, monitor_id, resolution, range, manager);
    };
    const hours = await find('hour', from);
    const days = await find('day', Math.floor((to - 1) / DAY_MS) * DAY_MS - (SHOWN_DAYS - 1) * DAY_MS);
    const sum: number[] = [];
    for (const { counts } of hours)
      for (const [bin, count] of counts.entries()) sum[bin] = (sum[bin] ?? 0) + count;
    return {
      from,
      to,
      hours: hours.map(timeOf),
      days: days.map(timeOf),
      total: hours.length === 0 ? null : quantilesOf(Array.from(sum, (count = 0) => count)),
    };
  }

  /** Counts samples of one organization. Returns whether there can be more of any organization. */
  private async countNext(): Promise<boolean> {
    const organization_id = await this.repository.findDue(this.last);
    this.last = organization_id;
    if (organization_id === undefined) return false;
    await this.dataSource.transaction(async (manager) => {
      const taken = await this.repository.take(organization_id, TAKEN_AT_ONCE, manager);
      await this.repository.add(organization_id, histogramsOf(taken, Date.now()), manager);
    });
    return true;
  }

  private async deleteOld(): Promise<boolean> {
    let isMore = false;
    for (const resolution of RESOLUTIONS) {
      const { kept_days } = PERIODS[resolution];
      const count = await this.repository.deleteOld(resolution, kept_days, DELETED_AT_ONCE);
      isMore ||= count >= DELETED_AT_ONCE;
    }
    return isMore;
  }
}

function timeOf({ started_at, counts }: Histogram): LatestTime {
  return { at: started_at.getTime(), ...quantilesOf(counts) };
}

function quantilesOf(counts: number[]): { p50: number; p95: number } {
  return { p50: quantileOf(counts, 0.5), p95: quantileOf(counts, 0.95) };
}

/** Returns the response times of the reports that have one. */
function samplesOf(reports: TimedReport[]): Samples {
  const samples: Samples = { monitor_ids: [], hours: [], bins: [] };
  for (const { monitor_id, observed_at, response_ms } of reports) {
    if (response_ms === undefined) continue;
    samples.monitor_ids.push(monitor_id);
    samples.hours.push(Math.floor(observed_at.getTime() / HOUR_MS));
    samples.bins.push(binOf(response_ms));
  }
  return samples;
}

/** Returns the hours and days of samples, without those that are not kept. */
function histogramsOf(taken: Samples[], now: number): AddedHistogram[] {
  const histograms = new Map<string, AddedHistogram>();
  const add = (resolution: Resolution, monitor_id: string, time: number, bin: number) => {
    const { ms, kept_days } = PERIODS[resolution];
    if (time < now - kept_days * DAY_MS) return;
    const start = time - (time % ms);
    const key = `${monitor_id} ${resolution} ${start}`;
    const known = histograms.get(key);
    const counts = known?.counts ?? [];
    while (counts.length <= bin) counts.push(0);
    counts[bin] = (counts[bin] ?? 0) + 1;
    if (!known) histograms.set(key, { monitor_id, resolution, started_at: new Date(start), counts });
  };
  for (const { monitor_ids, hours, bins } of taken)
    monitor_ids.forEach((monitor_id, index) => {
      const time = (hours[index] ?? 0) * HOUR_MS;
      for (const resolution of RESOLUTIONS) add(resolution, monitor_id, time, bins[index] ?? 0);
    });
  return [...histograms.values()];
}

/** Returns the range of a query, which begins with a whole period. */
function rangeOf(query: ResponseTimesQuery, resolution: Resolution, now: Date): { from: Date; to: Date } {
  const { ms, kept_days, default: count } = PERIODS[resolution];
  const to = query.to ?? now;
  const from = query.from ?? new Date(to.getTime() - count * ms);
  if (from >= to) throw outOfRange('must be before `to`');
  if (to.getTime() - from.getTime() > kept_days * DAY_MS)
    throw outOfRange(`must be at most ${kept_days} days before \`to\` with resolution ${resolution}`);
  return { from: new Date(Math.floor(from.getTime() / ms) * ms), to };
}

function outOfRange(detail: string) {
  return validationFailed([{ code: 'out_of_range', detail, parameter: 'from' }]);
}
