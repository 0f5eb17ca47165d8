import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../platform/database/statements.js';
import type { ReportedStatus, StatusInterval } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { Problem } from '../platform/problems/problem.js';
import { throwIfUnknown } from '../platform/problems/references.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateMonitorReportsDto } from './dto/create-monitor-reports.dto.js';
import type { ReportsResultDto } from './dto/reports-result.dto.js';
import type { ChangedTimes } from './changed-times.js';
import { type CurrentState, HistoryRepository } from './history.repository.js';
import { HistoryLocksRepository } from './history-locks.repository.js';
import { type ChangedRuns, type MonitorReports, ReportsRepository } from './reports.repository.js';
import { changesOf } from './run-changes.js';
import { ResponseTimesService } from './response-times/response-times.service.js';
import { addReport } from './runs.js';
import { byMonitor, hasId } from './reports-by-monitor.js';
import { StatusChangeEvents } from './status-change-events.js';
import { type StatusChange, statusOf } from './status-changes.js';

/** Status of a monitor at a point in time. */
export interface Report {
  monitor_id: string;
  status: ReportedStatus;
  observed_at: Date;
  /** Response time in milliseconds, from 0 to `MAX_RESPONSE_MS`, if it was measured. */
  response_ms?: number;
  /** Key by which the request identifies the monitor; undefined: by ID. */
  monitor_key?: string;
}

/** A report that identifies its monitor by key. */
export type ReportByKey = Omit<Report, 'monitor_id'> & { monitor_key: string };

/** The ID of an unknown key, because no monitor has this ID. */
const UNKNOWN_ID = '00000000-0000-0000-0000-000000000000';

/** Records and reads the reports of monitors. Reports are stored as runs: consecutive reports with the same status. */
@Injectable()
export class ReportsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ReportsRepository,
    private readonly history: HistoryRepository,
    private readonly locks: HistoryLocksRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly events: StatusChangeEvents,
    private readonly responseTimes: ResponseTimesService,
  ) {}

  onModuleInit(): void {
    this.monitors.onStaleAfterUpdate(({ id, organization_id }, manager) =>
      this.lockHistory(organization_id, [id], { from: new Date(0), to: null }, manager),
    );
  }

  /**
   * Records the reports of a request, all or nothing.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor`
   */
  async create(actor: Actor, { project_id, reports }: CreateMonitorReportsDto): Promise<ReportsResultDto> {
    return this.record(actor, project_id, reports).catch(async (error: unknown) => {
      // The project is read only if its monitors are unknown. 404 takes precedence.
      if (error instanceof Problem) await this.projects.require(actor, project_id);
      throw error;
    });
  }

  /**
   * Records reports of monitors of a project, all or nothing, in any order. A report by key belongs to the monitor that has the
   * key until the transaction ends.
   * @returns the number of reports, and the number of reports that changed the status of their monitor
   * @throws Problem 400 `validation_failed` with `unknown_monitor` for each report of a monitor that is not in the project
   */
  async record(
    actor: Actor,
    project_id: string,
    reports: (Report | ReportByKey)[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ReportsResultDto> {
    const project = this.projects.projectRef(actor, project_id);
    const changed = await this.recordAll(actor, project, reports, manager);
    return { reports: reports.length, changed };
  }

  /**
   * Records reports in a transaction. Tries again if a monitor is deleted in the meantime, so that it is reported as unknown.
   */
  private async recordAll(
    actor: Actor,
    project: ProjectRef,
    reports: (Report | ReportByKey)[],
    manager: EntityManager,
  ): Promise<number> {
    for (;;) {
      try {
        return await manager.transaction(async (own) =>
          this.recordIn(actor, project, await this.withIds(project, reports, own), own),
        );
      } catch (error) {
        if (!isSqlState(error, FOREIGN_KEY_VIOLATION, /_monitor_fkey$/)) throw error;
      }
    }
  }

  /** Adds the IDs of monitors to reports by key. Locks these monitors, so that their keys do not change in the meantime. */
  private async withIds(
    project: ProjectRef,
    reports: (Report | ReportByKey)[],
    manager: EntityManager,
  ): Promise<Report[]> {
    if (reports.every(hasId)) return reports;
    const keys = new Set(reports.flatMap(({ monitor_key }) => monitor_key ?? []));
    const ids = await this.monitors.lockByKey(project, [...keys], manager);
    return reports.map((report) =>
      hasId(report) ? report : { ...report, monitor_id: ids.get(report.monitor_key) ?? UNKNOWN_ID },
    );
  }

  /** Records reports in a transaction. Returns the number of changes. */
  private async recordIn(
    actor: Actor,
    project: ProjectRef,
    reports: Report[],
    manager: EntityManager,
  ): Promise<number> {
    const monitors = byMonitor(reports);
    const { started, first, others } = await this.repository.extendRuns(project, monitors, manager);
    if (first) await this.events.record(actor, project, first, manager);
    await this.responseTimes.record(project.organization_id, reports, manager);
    if (others.length === 0) return started;
    const isOther = new Set(others);
    const left = monitors.filter(({ monitor_id }) => isOther.has(monitor_id));
    return started + (await this.changeRuns(actor, project, left, reports, manager));
  }

  /** Records the reports of locked monitors. Returns the number of changes. */
  private async changeRuns(
    actor: Actor,
    project: ProjectRef,
    monitors: MonitorReports[],
    reports: Report[],
    manager: EntityManager,
  ): Promise<number> {
    const before = await this.repository.findReported(project, monitors, manager);
    const asked = new Set(monitors.map(({ monitor_id }) => monitor_id));
    const references = reports.flatMap(({ monitor_id: id, monitor_key }, index) =>
      asked.has(id)
        ? [{ id, path: ['reports', index, monitor_key === undefined ? 'monitor_id' : 'monitor_key'] }]
        : [],
    );
    const known = new Set(before.keys());
    throwIfUnknown(references, known, 'unknown_monitor', 'is not a monitor of the project');
    let count = 0;
    const now = Date.now();
    const changes: ChangedRuns[] = [];
    const statuses: StatusChange[] = [];
    for (const { monitor_id, reports: own } of monitors) {
      const reported = before.get(monitor_id);
      if (!reported) continue;
      const runs = [...reported.runs];
      const from = statusOf(reported, now);
      count += own.filter(({ status, time }) => addReport(reported, status, time)).length;
      const changed = changesOf(monitor_id, runs, reported, own[0]?.time ?? 0);
      if (changed) changes.push(changed);
      statuses.push({ monitor_id, from, to: statusOf(reported, now) });
    }
    await this.repository.write(project.organization_id, changes, manager);
    await this.locks.deleteDays(project.organization_id, changes, manager);
    await this.events.record(actor, project, statuses, manager);
    return count;
  }

  /**
   * Locks the history of monitors until the transaction ends, in ID order, and invalidates the changed days. Call this in every
   * transaction that changes a monitor's history.
   * @param times the changed time range, or null
   */
  async lockHistory(
    organization_id: string,
    monitorIds: string[],
    times: ChangedTimes | null,
    manager: EntityManager,
  ): Promise<void> {
    if (monitorIds.length === 0) return;
    await this.locks.lock(organization_id, monitorIds, times, manager);
  }

  /**
   * Records that the days of monitors before a midnight in UTC are computed. The transaction must have locked their history.
   */
  async closeDays(
    organization_id: string,
    monitorIds: string[],
    before: Date,
    manager: EntityManager,
  ): Promise<void> {
    await this.locks.close(organization_id, monitorIds, before, manager);
  }

  /**
   * Returns the reported statuses of monitors at `now`. Before its first report, a monitor is operational if it has no
   * `stale_after_seconds`.
   */
  async currentOf(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<CurrentState[]> {
    return this.history.findCurrent(organization_id, monitorIds, now, manager);
  }

  /** Returns when the next of these monitors becomes stale after `now` if it does not report again, or null. */
  async nextChange(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<Date | null> {
    return this.history.findNextChange(organization_id, monitorIds, now, manager);
  }

  /**
   * Returns the reported intervals of monitors in a time range, and the operational interval of a monitor without
   * `stale_after_seconds` from its creation until its first report. Between intervals, the status is unknown.
   */
  async intervalsOf(
    organization_id: string,
    monitorIds: string[],
    range: { from: Date; to: Date },
    manager?: EntityManager,
  ): Promise<StatusInterval[]> {
    return this.history.findIntervals(organization_id, monitorIds, range, manager);
  }

  /** Returns whether more than `count` runs of monitors start in a time range. */
  async hasMoreRuns(
    organization_id: string,
    monitorIds: string[],
    range: { from: Date; to: Date },
    count: number,
  ): Promise<boolean> {
    return this.history.hasMoreRuns(organization_id, monitorIds, range, count);
  }
}
